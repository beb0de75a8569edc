import type { IncomingMessage } from 'node:http';
import { setImmediate as nextIteration } from 'node:timers/promises';
import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Settings } from '../../config/read-config.ts';
import { inTime } from '../../model/common.ts';
import { type Caller, type HttpClient, RestError } from '../../rest/index.ts';
import { createGraphQLError } from '../../schema/graphql-error.ts';
import { formatError, rootCause } from '../../server/errors/client-error.ts';
import { lateResult, unauthenticated } from '../../server/errors/http-error.ts';
import { acceptableFor, partsNotAccepted } from '../../server/graphql/negotiation.ts';
import {
  executeOperation,
  prepareOperation,
  type AcceptedContext,
  type Operation,
  type OperationContext,
  type OperationLimits,
} from '../../server/graphql/operation.ts';
import { closeSource, StoppableIterator, type Item } from '../../server/graphql/result-stream.ts';
import { isAsyncIterable } from '../../server/graphql/yoga-packages.ts';
import type { ObservedEvent } from '../../server/http/request-observer.ts';
import type { Log } from '../../server/telemetry/log.ts';
import { LiveEvent } from './event-stream.ts';
import { liveDocuments, maxProcessSubscriptions, type ExceededLimit, type Live } from './live.ts';
import { multipartResponse } from './multipart-response.ts';
import { failureEffects } from './watch.ts';

type SubscriptionOptions = Omit<OperationLimits, 'forms'> &
  Pick<Settings, 'requestTimeoutMs'> & {
    readonly maxSubscriptions: number;
    readonly heartbeatMs?: number;
  };

export function useSubscriptions(
  http: HttpClient,
  log: Pick<Log, 'failure'>,
  live: Live,
  options: SubscriptionOptions,
  shutdown: AbortSignal,
): Plugin<AcceptedContext, OperationContext> {
  const subscribe = async (
    args: ExecutionArgs,
    context: AcceptedContext,
    caller: Caller,
  ): Promise<AsyncIterable<ExecutionResult> | ExecutionResult> => {
    const { operation } = context;
    const { http: exchange } = operation;
    const release = live.reserve(caller);
    if (typeof release === 'string') return { errors: [tooMany(release, options)] };
    exchange.onClose = release;
    if (exchange.res.closed) release();
    liveDocuments.set(args.contextValue as object, live.documentsFor(caller));
    operation.isExecuted = true;
    const ended = new AbortController();
    const end = (): void => {
      release();
      ended.abort(); // cancels the upstream calls of the current event, too
    };
    let events: Awaited<ReturnType<typeof createSourceEventStream>>;
    try {
      events = await createSourceEventStream(args);
    } catch (error) {
      end();
      throw error;
    }
    if (!isAsyncIterable(events)) {
      end();
      return events;
    }
    const prepareAndExecute = (event: unknown, observer: ObservedEvent['calls'] | null) => {
      const { plan, budget } = operation;
      const request = {
        caller,
        budget: {
          requestId: exchange.id,
          signal: ended.signal,
          timeoutMs: options.requestTimeoutMs,
          recordsCalls: budget.callRecords !== undefined,
          observer,
        },
        info: context,
      };
      const limits = { ...options, forms: context.forms };
      const own = prepareOperation(args, plan.operation, request, http, limits);
      if (own.errors !== undefined) return { errors: own.errors };
      operation.earlierCalls += budget.sentCalls;
      Object.assign(operation, own.prepared);
      const eventArgs = { ...args, rootValue: event, contextValue: own.context };
      return executeOperation(null, own.prepared, eventArgs);
    };
    const executeEvent = async (event: unknown): Promise<ExecutionResult> => {
      const observed = exchange.observed?.startEvent(operation) ?? null;
      const executing = prepareAndExecute(event, observed?.calls ?? null);
      // A resolver of a team may never return.
      const result = await inTime(executing, options.requestTimeoutMs + graceMs, () => {
        throw lateResult(false);
      });
      observed?.end(outcomeOf(result, operation));
      return result;
    };
    const results = resultsOf(events, executeEvent, (cause) => log.failure(exchange, cause), end);
    shutdown.addEventListener('abort', () => results.stop(), { signal: ended.signal });
    atExpiry(caller, ended.signal, () => results.stop(expired));
    keepOpen(exchange.req);
    // A subscription can last for hours. Its events are observed by themselves.
    exchange.observed?.end(200, exchange.outcome, true);
    if (shutdown.aborted) results.stop(); // while the source was being opened
    return results;
  };

  return {
    onSubscribe({ args, setSubscribeFn }) {
      const context: AcceptedContext = args.contextValue;
      const { caller, req } = context.operation.http;
      if (caller === null) throw new Error('The request was not checked before.');
      if (protocolFor(req.headers.accept) === null) throw partsNotAccepted('text/event-stream');
      setSubscribeFn((given: ExecutionArgs) => subscribe(given, context, caller));
    },
    onResultProcess({ serverContext, setResultProcessor }) {
      const { operationType, http } = serverContext.operation;
      if (operationType !== 'subscription') return;
      if (protocolFor(http.req.headers.accept) !== 'multipart') return;
      setResultProcessor(
        (results, fetchAPI) => multipartResponse(results, fetchAPI, options.heartbeatMs),
        'multipart/mixed',
      );
    },
  };
}

/**
 * Returns the protocol that a client prefers: `events` is GraphQL over SSE, `multipart` is Apollo's, which clients
 * ask for with `multipart/mixed;subscriptionSpec="1.0"`. Null if it accepts neither.
 */
function protocolFor(accept: string | undefined): 'events' | 'multipart' | null {
  const isMultipartAsked = /multipart\/mixed\s*;[^,]*\bsubscriptionSpec\s*=\s*"?1\.0"?/i.test(
    accept ?? '',
  );
  const { parts } = acceptableFor(accept);
  const [first] = isMultipartAsked ? parts : parts.filter((type) => type === 'text/event-stream');
  if (first === undefined) return null;
  return first === 'text/event-stream' ? 'events' : 'multipart';
}

/**
 * If the root field of a live event fails because the DMS is not available or RATE_LIMIT is reached, the event is
 * retried later instead of sent, because clients end a subscription after a result without data. If every later event
 * would fail too, its error is the last result.
 */
function resultsOf(
  events: AsyncIterable<unknown>,
  executeEvent: (event: unknown) => Promise<ExecutionResult>,
  onRetry: (cause: RestError) => void,
  onEnd: () => void,
): StoppableIterator<ExecutionResult> {
  const source = events[Symbol.asyncIterator]();
  const isRetried = (event: LiveEvent<unknown>, result: ExecutionResult): boolean => {
    const cause = rootFailure(result);
    if (cause === null || event.change === null) return false;
    const effect = failureEffects[cause.code];
    if (effect === 'end') event.end();
    if (effect !== 'retry') return false;
    event.retry();
    onRetry(cause);
    return true;
  };
  const take = async (): Promise<Item<ExecutionResult> | null> => {
    for (;;) {
      const { done, value: event } = await source.next();
      if (done) return null;
      const result = await executeEvent(event);
      if (event instanceof LiveEvent) {
        if (isRetried(event, result)) continue;
      } else await nextIteration(); // events of a team can be ready at once, without an end
      return { value: result };
    }
  };
  return new StoppableIterator(take, () => {
    onEnd();
    closeSource(source);
  });
}

const graceMs = 1000;

const expired = (): ExecutionResult => ({
  errors: [unauthenticated('The token has expired.') as unknown as GraphQLError],
});

function keepOpen({ socket }: IncomingMessage): void {
  if ((socket.timeout ?? 0) < minIdleTimeoutMs) socket.setTimeout(minIdleTimeoutMs);
}

function atExpiry({ expiresAtMs }: Caller, signal: AbortSignal, end: () => void): void {
  if (expiresAtMs === undefined) return;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const leftMs = expiresAtMs - Date.now();
    // Checked again at intervals, because the clock may be set meanwhile.
    timer = leftMs > 0 ? setTimeout(wait, Math.min(leftMs, maxCheckMs)) : setTimeout(end, 0);
  };
  wait();
  signal.addEventListener('abort', () => clearTimeout(timer));
}

const minIdleTimeoutMs = 30_000;
const maxCheckMs = 60_000;

function rootFailure({ data, errors = [] }: ExecutionResult): RestError | null {
  const hasData = data != null && Object.values(data).some((value) => value !== null);
  if (hasData) return null;
  return errors.map(rootCause).find((cause) => cause instanceof RestError) ?? null;
}

function outcomeOf({ errors = [] }: ExecutionResult, { http: { id, signal } }: Operation): string {
  const [first] = errors;
  if (first === undefined) return 'OK';
  return signal.aborted ? 'CANCELLED' : formatError(first, id, true).error.extensions.code;
}

function tooMany(limit: ExceededLimit, { maxSubscriptions }: SubscriptionOptions): GraphQLError {
  const message =
    limit === 'caller'
      ? `The user has too many subscriptions; MAX_SUBSCRIPTIONS allows ${maxSubscriptions}. End another one first.`
      : `The gateway has too many subscriptions; a process allows ${maxProcessSubscriptions}. Try again later.`;
  return createGraphQLError(message, {
    extensions: { code: 'RATE_LIMITED' },
  });
}
