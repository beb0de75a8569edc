import { Client, fetchExchange, gql, subscriptionExchange } from '@urql/core';
import { createClient } from 'graphql-sse';

export function connect(url: string): Client {
  const sse = createClient({ url });
  return new Client({
    url,
    preferGetMethod: false,
    exchanges: [
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: (request) => ({
          subscribe: (sink) => ({ unsubscribe: sse.subscribe(request as never, sink as never) }),
        }),
      }),
    ],
  });
}

export function watchInbox(client: Client) {
  const subscription = gql`
    subscription WatchInbox {
      documentsChanged(view: INBOX, first: 20) {
        totalCount
        added {
          id
          shortId
        }
        changed {
          id
          meta {
            revision
          }
        }
        removedIds
      }
    }
  `;
  return client.subscription(subscription, {});
}
