import { storedSchema, storeSchema } from './storage.js';

/**
 * @typedef {object} Result a GraphQL result, or a part of one
 * @property {unknown} [data]
 * @property {{ message: string, locations?: { line: number, column: number }[], extensions?: { code?: string } }[]}
 *   [errors]
 * @property {Record<string, unknown> & { upstream?: import('./rest-calls.js').Call[] }} [extensions]
 */

/**
 * @typedef {object} FetcherOptions
 * @property {string | null} schemaHash identifies the stored result by which GraphiQL reads the schema; null: none
 * @property {boolean} upstreamTrace whether to request the upstream calls
 * @property {import('./people.js').People} people
 * @property {() => void} onStart called before each operation of the user
 * @property {(calls: import('./rest-calls.js').Call[]) => void} onCalls called with the upstream calls of a result
 * @property {(text: string) => void} onMessage called with a sentence that is shown instead of a result
 */

/** Of the operation by which GraphiQL reads the schema. */
const introspectionName = 'IntrospectionQuery';

/** A result that never comes: GraphiQL shows an empty response. */
const noResult = {
  /** @param {{ complete(): void }} observer */
  subscribe(observer) {
    // GraphiQL stores the subscription first.
    queueMicrotask(() => observer.complete());
    return { unsubscribe() {} };
  },
};

/**
 * Creates the function by which GraphiQL sends operations.
 *
 * @param {FetcherOptions} options
 */
export function createFetcher({ schemaHash, upstreamTrace, people, onStart, onCalls, onMessage }) {
  let canUseStored = true; // not if the user has the schema read again
  /** @param {Result} result */
  const withoutCalls = (result) => {
    const { upstream, ...extensions } = result.extensions ?? {};
    if (upstream === undefined) return result;
    onCalls(upstream);
    const { extensions: _, ...rest } = result;
    return Object.keys(extensions).length === 0 ? rest : { ...rest, extensions };
  };

  /**
   * @param {{ query: string, operationName?: string | null, variables?: unknown }} params
   * @param {{ headers?: Record<string, string> }} [given] headers of the user
   */
  return async (params, given) => {
    const isOfUser = params.operationName !== introspectionName;
    if (isOfUser) onStart();
    else if (canUseStored) {
      canUseStored = false;
      const stored = storedSchema(schemaHash);
      if (stored !== undefined) return stored;
    }
    const controller = new AbortController();
    const send = async () =>
      fetch(location.pathname, {
        method: 'POST',
        signal: controller.signal,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(upstreamTrace && isOfUser && { 'x-upstream-trace': '1' }),
          ...(await people.headers()),
          ...given?.headers,
        },
        body: JSON.stringify(params),
      });
    try {
      let response = await send();
      if (response.status === 401 && people.chosen !== undefined) {
        await people.renew(); // the gateway has restarted
        response = await send();
      }
      const type = response.headers.get('content-type') ?? '';
      if (type.startsWith('text/event-stream')) {
        return resultsOf(response, controller, withoutCalls, onMessage);
      }
      if (!type.includes('json')) {
        onMessage(`The response is not JSON (status ${response.status}).`);
        return noResult;
      }
      const result = /** @type {Result} */ (await response.json());
      if (!isOfUser) storeSchema(schemaHash, result);
      const [error] = result.errors ?? [];
      if (isOfUser && error?.extensions?.code === 'GRAPHQL_PARSE_FAILED') {
        onMessage(parseMessage(error));
        return noResult;
      }
      return withoutCalls(result);
    } catch (error) {
      onMessage(failureMessage(error));
      return noResult;
    }
  };
}

/**
 * Describes why a request has failed. A browser reports every network failure as a TypeError.
 *
 * @param {unknown} error
 */
export function failureMessage(error) {
  if (!(error instanceof TypeError)) return error instanceof Error ? error.message : String(error);
  return 'The gateway cannot be reached. Check that it is running, then try again.';
}

/**
 * Describes a syntax error with its position.
 *
 * @param {NonNullable<Result['errors']>[number]} error
 */
function parseMessage({ message, locations: [at] = [] }) {
  const position = at === undefined ? '' : ` at line ${at.line}, column ${at.column}`;
  return `The query cannot be parsed${position}: ${message.replace('Syntax Error: ', '')}`;
}

/**
 * Reads a stream of the protocol GraphQL over SSE: the parts of a result with `@defer` or `@stream`, or the events of a
 * subscription. `return` ends the stream at once; it does not wait for the next result.
 *
 * @param {Response} response
 * @param {AbortController} controller aborts the request
 * @param {(result: Result) => Result} convert
 * @param {(text: string) => void} onMessage called if the connection is lost
 * @returns {AsyncIterableIterator<Result>}
 */
function resultsOf(response, controller, convert, onMessage) {
  const results = readEvents(response, controller.signal, convert, onMessage);
  return {
    next: () => results.next(),
    return() {
      controller.abort();
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/**
 * @param {Response} response
 * @param {AbortSignal} signal
 * @param {(result: Result) => Result} convert
 * @param {(text: string) => void} onMessage
 */
async function* readEvents(response, signal, convert, onMessage) {
  const reader = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (response.body)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const events = (text + value).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        if (event.startsWith('event: complete')) return;
        const [, json] = /^event: next\ndata: (.*)$/s.exec(event) ?? [];
        if (json !== undefined) yield convert(JSON.parse(json)); // the others are heartbeats
      }
    }
  } catch {
    if (!signal.aborted)
      onMessage('The connection to the gateway was lost. Run the operation again.');
  }
}
