import { createClient } from 'graphql-sse';
import { Environment, Network, Observable, RecordSource, Store } from 'relay-runtime';
import type { GraphQLResponse, RequestParameters, Variables } from 'relay-runtime';

export function connect(url: string): Environment {
  const sse = createClient({ url });
  // graphql-sse sends queries and mutations over the same protocol.
  const execute = ({ id, name, text }: RequestParameters, variables: Variables) =>
    Observable.create<GraphQLResponse>((sink) => {
      const document = text ? { query: text } : { documentId: id }; // a persisted document has no text
      return sse.subscribe({ operationName: name, ...document, variables } as never, sink as never);
    });
  return new Environment({
    network: Network.create(execute, execute),
    store: new Store(new RecordSource()),
  });
}
