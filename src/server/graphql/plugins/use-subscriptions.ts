import { setImmediate as nextIteration } from 'node:timers/promises';
import {
  createSourceEventStream,
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { GatewayOptions } from '../../options.ts';
import { createContext, type GatewayContext } from '../../../context.ts';
import { maxProcessSubscriptions, type ExceededLimit, type Live } from '../../../live/index.ts';
import { LiveEvent } from '../../../live/event-stream.ts';
import { closeSource, StoppableIterator, type Item } from '../../../live/stoppable-iterator.ts';
import { errorCodes } from '../../../model/error-codes.ts';
import type { Caller } from '../../../rest/client/upstream-call.ts';
import type { HttpClient } from '../../../rest/client/http-client.ts';
import { RequestBudget } from '../../../rest/client/resilience/request-budget.ts';
import { RestError } from '../../../rest/client/rest-error.ts';
import { createGraphQLError } from '../../../schema/graphql-error.ts';
import { formatError, rootCause } from '../../errors/client-error.ts';
import { beforeDeadline } from '../deadline.ts';
import type { OperationContext } from '../operation-context.ts';
import type { ObservedEvent } from '../../http/request-observer.ts';
import type { Log } from '../../telemetry/log.ts';
import { callLimitFrom, type CallLimits } from '../../../schema/plan/cost.ts';
import { isAsyncIterable } from '../yoga-packages.ts';

/** The limits of a subscription and of the operation that resolves each of its events. */
type SubscriptionOptions = CallLimits &
  Pick<GatewayOptions, 'maxSubscriptions' | 'requestTimeoutMs' | 'concurrency'>;

/**
 * Runs subscriptions. Each counts towards the limits of its caller and of the process until it or its response ends.
 * Each event has its own budget, deadline and loaders, like an operation.
 */
export function useSubscriptions(
  http: HttpClient,
  log: Log,
  live: Live,
  options: SubscriptionOptions,
): Plugin<OperationContext, OperationContext> {
  const { calls: maxCalls } = callLimitFrom(options);

  const subscribe = async (
    args: ExecutionArgs,
    context: OperationContext,
    caller: Caller,
    release: () => void,
  ): Promise<AsyncIterable<ExecutionResult> | ExecutionResult> => {
    const abortController = new AbortController();
    const end = (): void => {
      release();
      abortController.abort(); // cancels the upstream calls of the current event
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
    const executeEvent = async (event: unknown): Promise<ExecutionResult> => {
      const observed = context.http.observed?.startEvent(context) ?? null;
      const contextValue = contextForEvent(context, caller, abortController.signal, observed);
      const { budget } = contextValue.dms;
      const result = await beforeDeadline(
        execute({ ...args, rootValue: event, contextValue }),
        () => budget.deadlineAt - performance.now(),
      );
      observed?.end(outcomeOf(result, context));
      return result;
    };
    return resultsOf(events, executeEvent, (cause) => log.failure(context.http, cause), end);
  };

  const contextForEvent = (
    context: OperationContext,
    caller: Caller,
    signal: AbortSignal,
    observed: ObservedEvent | null,
  ): GatewayContext => {
    context.earlierCalls += context.budget?.sentCalls ?? 0;
    const budget = new RequestBudget({
      requestId: context.http.id,
      signal,
      timeoutMs: options.requestTimeoutMs,
      maxCalls,
      maxInFlight: options.concurrency,
      recordsCalls: context.budget?.callRecords !== undefined,
      observer: observed?.calls ?? null,
    });
    context.budget = budget;
    return createContext(http, caller, budget, context, context);
  };

  return {
    onSubscribe({ args, setSubscribeFn, setResultAndStopExecution }) {
      const context: OperationContext = args.contextValue;
      const { caller, res } = context.http;
      if (caller === null) throw new Error('The request was not checked before.');
      const release = live.reserve(caller);
      if (typeof release === 'string') {
        setResultAndStopExecution({ errors: [tooMany(release, options)] });
        return;
      }
      context.http.onClose = release;
      if (res.closed) release();
      context.live = live.documentsFor(caller);
      context.isExecuted = true;
      setSubscribeFn(() => subscribe(args, context, caller, release));
    },
  };
}

/**
 * The results of a subscription. The next event is read when the next result is requested.
 *
 * If the root field of a live event fails because the DMS is not available or RATE_LIMIT is reached, the event is
 * retried later instead of sent, because clients end a subscription after a result without data. If every later event
 * would fail too, its error is the last result.
 *
 * @param onEnd called once, when the results end or the client stops reading them
 */
function resultsOf(
  events: AsyncIterable<unknown>,
  executeEvent: (event: unknown) => Promise<ExecutionResult>,
  onRetry: (cause: RestError) => void,
  onEnd: () => void,
): AsyncIterable<ExecutionResult> {
  const source = events[Symbol.asyncIterator]();
  const isRetried = (event: LiveEvent<unknown>, result: ExecutionResult): boolean => {
    const cause = rootFailure(result);
    if (cause === null || event.change === null) return false;
    if (errorCodes[cause.code].isTransient) {
      event.retry();
      onRetry(cause);
      return true;
    }
    if (errorCodes[cause.code].endsSubscription) event.end();
    return false;
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

/** The error of the upstream call that made the root field fail. Null if there is data, or another error. */
function rootFailure({ data, errors = [] }: ExecutionResult): RestError | null {
  const hasData = data != null && Object.values(data).some((value) => value !== null);
  if (hasData) return null;
  return errors.map(rootCause).find((cause) => cause instanceof RestError) ?? null;
}

/** `OK`, or the code of the first error as the client sees it. */
function outcomeOf(
  { errors = [] }: ExecutionResult,
  { http: { id, connection } }: OperationContext,
): string {
  const [first] = errors;
  if (first === undefined) return 'OK';
  return connection.aborted ? 'CANCELLED' : formatError(first, id, true).error.extensions.code;
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
