import {
  createSourceEventStream,
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { createContext, type GatewayContext } from '../../../context.ts';
import { maxProcessSubscriptions, type ExceededLimit, type Live } from '../../../live/index.ts';
import type { Caller } from '../../../rest/client/caller.ts';
import type { HttpClient } from '../../../rest/client/http-client.ts';
import { createRequestBudget } from '../../../rest/client/resilience/request-budget.ts';
import { createGraphQLError } from '../../../schema/graphql-error.ts';
import { formatError } from '../../errors/client-error.ts';
import type { HttpExchange } from '../../http/http-exchange.ts';
import type { EventTrace } from '../../http/request-trace.ts';
import type { Log } from '../../telemetry/log.ts';
import { EventResults } from '../event-results.ts';
import { callLimitFrom, type CallLimits } from '../../../schema/plan/cost.ts';
import { isAsyncIterable } from '../yoga-packages.ts';

/** The limits of a subscription and of the operation that resolves each of its events. */
export interface SubscriptionOptions extends CallLimits {
  /** Maximum number of subscriptions of one caller. */
  readonly maxSubscriptions: number;
  /** Timeout of one event, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** Maximum number of concurrent upstream calls of one event. */
  readonly concurrency: number;
}

/**
 * Runs subscriptions. Each counts towards the limits of its caller and of the process until it or its response ends.
 * Each event has its own budget, deadline and loaders, like an operation.
 */
export function useSubscriptions(
  http: HttpClient,
  log: Log,
  live: Live,
  options: SubscriptionOptions,
): Plugin<HttpExchange, HttpExchange> {
  const { calls: maxCalls } = callLimitFrom(options);

  const subscribe = async (
    args: ExecutionArgs,
    exchange: HttpExchange,
    caller: Caller,
    release: () => void,
  ): Promise<EventResults | ExecutionResult> => {
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
      const trace = exchange.trace?.startEvent(exchange) ?? null;
      const contextValue = contextForEvent(exchange, caller, abortController.signal, trace);
      const result = await execute({ ...args, rootValue: event, contextValue });
      trace?.end(outcomeOf(result, exchange));
      return result;
    };
    return new EventResults(events, executeEvent, (cause) => log.failure(exchange, cause), end);
  };

  const contextForEvent = (
    exchange: HttpExchange,
    caller: Caller,
    signal: AbortSignal,
    trace: EventTrace | null,
  ): GatewayContext => {
    exchange.earlierCalls += exchange.budget?.sentCalls ?? 0;
    const budget = createRequestBudget({
      requestId: exchange.id,
      signal,
      timeoutMs: options.requestTimeoutMs,
      maxCalls,
      maxInFlight: options.concurrency,
      trace: exchange.budget?.trace !== undefined,
      tracing: trace?.calls ?? null,
    });
    exchange.budget = budget;
    return createContext(http, caller, budget, exchange, exchange.maxListFields);
  };

  return {
    onSubscribe({ args, setSubscribeFn, setResultAndStopExecution }) {
      const exchange: HttpExchange = args.contextValue;
      const { caller, res } = exchange;
      if (caller === null) throw new Error('The request was not checked before.');
      const release = live.reserve(caller);
      if (typeof release === 'string') {
        setResultAndStopExecution({ errors: [tooMany(release, options)] });
        return;
      }
      exchange.onClose = release;
      if (res.closed) release();
      exchange.live = live.documentsFor(caller);
      setSubscribeFn(() => subscribe(args, exchange, caller, release));
    },
  };
}

/** `OK`, or the code of the first error as the client sees it. */
function outcomeOf({ errors = [] }: ExecutionResult, { id, connection }: HttpExchange): string {
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
