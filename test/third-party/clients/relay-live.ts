import { createClient } from 'graphql-sse';
import { Environment, Network, Observable, RecordSource, Store } from 'relay-runtime';
import type { GraphQLResponse, RequestParameters, Variables } from 'relay-runtime';

export function connect(url: string): Environment {
  const sse = createClient({ url });
  // graphql-sse sends queries and mutations over the same protocol.
  const execute = ({ name, text }: RequestParameters, variables: Variables) =>
    Observable.create<GraphQLResponse>((sink) =>
      sse.subscribe({ operationName: name, query: text ?? '', variables }, sink as never),
    );
  return new Environment({
    network: Network.create(execute, execute),
    store: new Store(new RecordSource()),
  });
}
