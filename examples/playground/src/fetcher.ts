import {
  formatResult,
  type Fetcher,
  type FetcherParams,
  type SyncFetcherResult,
} from '@graphiql/toolkit';
import { getOperationAST, parse, type DocumentNode, type ExecutionResult } from 'graphql';
import type { TracedOperation, UpstreamCall } from '../../ui/calls.ts';
import { addToHistory } from './history/history.ts';
import { runs, setRun } from './runs.ts';
import { loadSchema } from './schema.ts';
import { actorName, personHeaders, session } from './session.ts';

interface Result extends ExecutionResult {
  readonly extensions?: { readonly upstream?: readonly UpstreamCall[] };
}

/** A result that never comes: GraphiQL shows an empty response. */
const noResult = {
  subscribe(observer: { complete(): void }) {
    // GraphiQL stores the subscription first.
    queueMicrotask(() => observer.complete());
    return { unsubscribe() {} };
  },
};

let lastMutation = { key: '', result: Promise.resolve<SyncFetcherResult>({}), endMs: -Infinity };

const pauseMs = 500;

/**
 * Sends the operations of GraphiQL, and stores what the gateway reports of each in the run of its tab. A mutation that is
 * repeated while it is in flight, or just after its result, gets that result: a key that is pressed twice stores nothing twice.
 */
export const fetcher: Fetcher = (given, options) => {
  const document = parsed(given.query);
  const params = withKnownName(given, document);
  if (!document || getOperationAST(document, params.operationName)?.operation !== 'mutation') {
    return execute(params, document, options);
  }
  const key = JSON.stringify([params, options?.headers, session.state.get().personId]);
  if (key === lastMutation.key && performance.now() < lastMutation.endMs + pauseMs) {
    return lastMutation.result;
  }
  const mutation = { key, result: execute(params, document, options), endMs: Infinity };
  lastMutation = mutation;
  void mutation.result.finally(() => (mutation.endMs = performance.now()));
  return mutation.result;
};

async function execute(
  params: FetcherParams,
  document: DocumentNode | null,
  options: Parameters<Fetcher>[1],
): Promise<SyncFetcherResult> {
  const run = startRun(params, document);
  const controller = new AbortController();
  try {
    const headers: Record<string, string> | undefined = options?.headers;
    const response = await send(params, { 'x-upstream-trace': '1', ...headers }, controller.signal);
    if (response.ok) void loadSchema({ ...(await personHeaders()), ...headers });
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/event-stream')) {
      const results = readEvents(response, run.takeCalls);
      return stoppable(results, controller, run.fail);
    }
    if (!type.includes('json')) {
      return run.fail(`The response is not JSON (status ${response.status}).`);
    }
    const result = (await response.json()) as Result;
    return run.show(result);
  } catch (error) {
    return run.fail(failureMessage(error));
  }
}

let lastId = 0;

function startRun(params: FetcherParams, document: DocumentNode | null) {
  const tab = runs.get().activeTab;
  const startMs = performance.now();
  const operation = document && getOperationAST(document, params.operationName);
  const { personId } = session.state.get();
  setRun(tab, { document, isTraced: false, failure: null });
  if (operation) {
    const { query, variables } = params as FetcherParams & { readonly variables?: object };
    addToHistory({
      name: operation.name?.value ?? '',
      query,
      variables: Object.keys(variables ?? {}).length > 0 ? JSON.stringify(variables, null, 2) : '',
      atMs: Date.now(),
      personId,
    });
  }
  const trace = (calls: readonly UpstreamCall[]): TracedOperation => ({
    id: (lastId += 1),
    name: operation?.name?.value ?? '',
    kind: operation?.operation ?? 'query',
    startMs,
    ms: performance.now() - startMs,
    calls,
  });
  return {
    /** Returns the result for GraphiQL, which writes it to the tab that is shown: that of another tab is stored there. */
    show(result: Result): SyncFetcherResult {
      if (session.state.get().personId !== personId) return noResult;
      const shown = this.takeCalls(result);
      if (runs.get().activeTab === tab) return shown;
      setRun(tab, { lateResponse: formatResult(shown) });
      return noResult;
    },
    fail(failure: string) {
      setRun(tab, { traced: null, isTraced: true, failure });
      return noResult;
    },
    /** Removes the upstream calls from a result, and shows them. With @defer, only the last part has them. */
    takeCalls(result: Result): ExecutionResult {
      const { upstream, ...extensions } = result.extensions ?? {};
      const { extensions: _, ...rest } = result;
      if (upstream !== undefined || !('hasNext' in result)) {
        const traced = upstream === undefined ? null : trace(upstream);
        setRun(tab, { traced, isTraced: true, actor: actorName(personId) });
      }
      return Object.keys(extensions).length === 0 ? rest : { ...rest, extensions };
    },
  };
}

/**
 * Sends a request of the page as the chosen person. After a restart of the gateway, the tokens are renewed.
 *
 * @param headers those of the user take precedence
 */
export async function send(
  params: FetcherParams,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> {
  const once = async (): Promise<Response> =>
    fetch(location.pathname, {
      method: 'POST',
      signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(await personHeaders()),
        ...headers,
      },
      body: JSON.stringify(params),
    });
  const response = await once();
  if (response.status !== 401 || session.state.get().personId === null) return response;
  await session.renew();
  return once();
}

/** Describes why a request has failed. A browser reports every network failure as a TypeError. */
function failureMessage(error: unknown): string {
  if (!(error instanceof TypeError)) return error instanceof Error ? error.message : String(error);
  return 'The gateway cannot be reached. Check that it is running, then try again.';
}

export function parsed(query: string): DocumentNode | null {
  try {
    return parse(query);
  } catch {
    return null;
  }
}

/** GraphiQL reads the name of the operation a moment after the last key. Until then, it sends that of an earlier text. */
function withKnownName(params: FetcherParams, document: DocumentNode | null): FetcherParams {
  if (document === null || getOperationAST(document, params.operationName)) return params;
  const only = getOperationAST(document); // null if there are several
  return only === null || only === undefined
    ? params
    : { ...params, operationName: only.name?.value ?? null };
}

/** A stream of results whose `return` ends it at once; it does not wait for the next result. */
function stoppable(
  results: AsyncGenerator<ExecutionResult>,
  controller: AbortController,
  fail: (failure: string) => unknown,
): AsyncIterableIterator<never> {
  return {
    async next() {
      try {
        return (await results.next()) as IteratorResult<never>;
      } catch {
        if (!controller.signal.aborted) {
          fail('The connection to the gateway was lost. Run the operation again.');
        }
        return { done: true, value: undefined };
      }
    },
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
 * Reads a stream of the protocol GraphQL over SSE: the parts of a result with `@defer` or `@stream`, or the events of a
 * subscription.
 */
async function* readEvents(
  response: Response,
  convert: (result: Result) => ExecutionResult,
): AsyncGenerator<ExecutionResult> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (text + value).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      if (event.startsWith('event: complete')) return;
      const [, json] = /^event: next\ndata: (.*)$/s.exec(event) ?? [];
      if (json !== undefined) yield convert(JSON.parse(json) as Result); // the others are heartbeats
    }
  }
}
