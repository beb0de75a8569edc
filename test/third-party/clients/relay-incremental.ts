import { meros } from 'meros/browser';
import {
  Environment,
  Network,
  Observable,
  RecordSource,
  Store,
  type GraphQLResponse,
  type GraphQLSingularResponse,
} from 'relay-runtime';

interface Part {
  readonly data?: object | null;
  readonly errors?: readonly object[];
  readonly incremental?: readonly IncrementalPart[];
}

interface IncrementalPart extends Part {
  readonly items?: readonly (object | null)[] | null;
  readonly path?: readonly (string | number)[];
  readonly label?: string;
}

export function connect(url: string): Environment {
  const network = Network.create((request, variables) =>
    Observable.create<GraphQLResponse>((sink) => {
      const controller = new AbortController();
      const send = async (): Promise<void> => {
        const response = await fetch(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'multipart/mixed, application/json',
          },
          body: JSON.stringify({ query: request.text, variables }),
          signal: controller.signal,
        });
        const parts = await meros<Part>(response);
        if (parts instanceof Response) {
          sink.next((await parts.json()) as GraphQLSingularResponse);
        } else {
          for await (const part of parts) {
            if (part.json) for (const one of toRelay(part.body)) sink.next(one);
          }
        }
        sink.complete();
      };
      send().catch((error: Error) => sink.error(error));
      return () => controller.abort();
    }),
  );
  return new Environment({ network, store: new Store(new RecordSource()) });
}

/** Relay reads one payload for the first part, for each deferred fragment and for each streamed item. */
function* toRelay({ data, errors, incremental = [] }: Part): Generator<GraphQLSingularResponse> {
  if (data !== undefined || errors !== undefined) yield payload({ data: data ?? null, errors });
  for (const { items, path = [], ...part } of incremental) {
    if (items == null) {
      yield payload({ ...part, path });
      continue;
    }
    for (const [index, item] of items.entries()) {
      yield payload({
        ...part,
        data: item,
        path: [...path.slice(0, -1), Number(path.at(-1)) + index],
      });
    }
  }
}

const payload = (part: object): GraphQLSingularResponse => part as GraphQLSingularResponse;
