import { meros } from 'meros/browser';

/* What `import … from 'dms-graphql-gateway/clients'` provides, for browsers. docs/front-end.md describes it. */
export { possibleTypes } from './possible-types.ts';

/** Type policies of Apollo Client: the `id` of these types is no key, and `Meta` has none. */
export const typePolicies = {
  File: { keyFields: false },
  Meta: { merge: true },
  RecoData: { keyFields: false },
  RecoForm: { keyFields: false },
} as const;

/** The properties of the result of an introspection query that are read. */
interface Introspection {
  readonly __schema: {
    readonly types: readonly {
      readonly name: string;
      readonly kind: string;
      readonly interfaces?: readonly { readonly name: string }[] | null | undefined;
    }[];
  };
}

/**
 * Returns `keys` of urql's graphcache for a schema: null for every type whose objects have no global ID, so that they
 * are part of the object that contains them.
 *
 * @param schema `dms-graphql-gateway/introspection.json`, or the result of an introspection query if the gateway serves
 * more types
 */
export function graphcacheKeys({ __schema }: Introspection): Record<string, () => null> {
  const embedded = __schema.types.filter(
    ({ kind, interfaces }) => kind === 'OBJECT' && !interfaces?.some(({ name }) => name === 'Node'),
  );
  return Object.fromEntries(embedded.map(({ name }) => [name, () => null]));
}

/** Options of `createRelayFetch`. */
export interface RelayFetchOptions {
  /** Returns headers of a request, such as `authorization`. Called for each request. Default: none. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** Default: that of the platform. */
  readonly fetch?: typeof fetch;
}

/** A part of a result with `@defer` or `@stream`, or a whole result. */
interface Part {
  readonly data?: object | null;
  readonly errors?: readonly object[];
  readonly incremental?: readonly (Part & {
    readonly items?: readonly (object | null)[] | null;
    readonly path?: readonly (string | number)[];
  })[];
}

/** What Relay requests: a text, or the ID of a persisted document. */
interface RelayRequest {
  readonly id?: string | null;
  readonly text?: string | null;
}

/** How Relay receives the payloads of a request. */
interface RelaySink {
  next(payload: object): void;
  error(error: Error): void;
  complete(): void;
}

/**
 * Creates the network function of Relay: `Network.create(createRelayFetch('/graphql'))`. It sends queries and mutations,
 * also with `@defer` and `@stream`, by ID if they are persisted, and aborts those that are no longer used.
 */
export function createRelayFetch(url: string, options: RelayFetchOptions = {}) {
  const { headers, fetch: send = fetch } = options;
  return (request: RelayRequest, variables: object) => ({
    subscribe(sink: RelaySink) {
      const { id, text } = request;
      const document = text == null ? { documentId: id } : { query: text };
      const controller = new AbortController();
      const read = async (): Promise<void> => {
        const response = await send(url, {
          method: 'POST',
          headers: {
            ...headers?.(),
            'content-type': 'application/json',
            accept: 'multipart/mixed, application/json',
          },
          body: JSON.stringify({ ...document, variables }),
          signal: controller.signal,
        });
        await readParts(response, sink);
        sink.complete();
      };
      read().catch((error: Error) => {
        if (!controller.signal.aborted) sink.error(error);
      });
      return {
        closed: false,
        unsubscribe(): void {
          this.closed = true;
          controller.abort();
        },
      };
    },
  });
}

async function readParts(response: Response, sink: RelaySink): Promise<void> {
  const parts = await meros<Part>(response);
  if (!(parts instanceof Response)) {
    for await (const part of parts) {
      if (part.json) for (const payload of payloadsOf(part.body)) sink.next(payload);
    }
    return;
  }
  if (!parts.headers.get('content-type')?.includes('json')) {
    throw new Error(`The response has the status ${parts.status} and is not JSON.`);
  }
  sink.next((await parts.json()) as object);
}

/** Relay reads one payload for the first part, for each deferred fragment and for each streamed item. */
function* payloadsOf({ data, errors, incremental = [] }: Part): Generator<object> {
  if (data !== undefined || errors !== undefined) yield { data: data ?? null, errors };
  for (const { items, path = [], ...part } of incremental) {
    if (items == null) {
      yield { ...part, path };
      continue;
    }
    for (const [index, item] of items.entries()) {
      yield { ...part, data: item, path: [...path.slice(0, -1), Number(path.at(-1)) + index] };
    }
  }
}
