import type { IncomingMessage } from 'node:http';
import type { ExecutionResult, FormattedExecutionResult } from 'graphql';
import type { FetchAPI } from 'graphql-yoga';
import { closeSource, StoppableIterator, type Item } from '../../live/stoppable-iterator.ts';
import { unauthenticated } from '../errors/http-error.ts';
import { after, type MaybePromise, type SerializedPart } from './serialize-result.ts';
import type { OperationContext } from './operation-context.ts';

/** The results that are sent in parts: those with `@defer` and `@stream`, and subscriptions. */
export type ResultStreams = ReturnType<typeof createResultStreams>;

/** Creates the registry of open streams, one per gateway. */
export function createResultStreams() {
  const subscriptions = new Set<StoppableIterator<ExecutionResult>>();
  let isEnding = false;
  return {
    /**
     * Returns the parts of a result as they are sent. The stream ends when the client disconnects. A subscription also
     * ends at shutdown, and with an error when the token that opened it expires. Any other result also ends at the
     * deadline of its operation, with an error as its last part.
     */
    open(
      context: OperationContext,
      parts: AsyncIterable<ExecutionResult>,
      toClient: (part: ExecutionResult) => MaybePromise<SerializedPart>,
    ): AsyncIterable<ExecutionResult> {
      const { budget } = context;
      const { connection } = context.http;
      let stopWaiting: (() => void) | null = null;
      const isSubscription = context.operationType === 'subscription';
      const release = (): void => {
        subscriptions.delete(stream);
        stopWaiting?.();
        budget?.removeEndListener(atDeadline);
        connection.removeEventListener('abort', onDisconnect);
        closeSource(source);
      };
      const source = parts[Symbol.asyncIterator]();
      const partFrom = (error: unknown): MaybePromise<ExecutionResult> => {
        const part = { errors: [error], ...(!isSubscription && { hasNext: false }) };
        return after(toClient(part as unknown as ExecutionResult), ({ text }) => partOf(text));
      };
      const take = async (): Promise<Item<ExecutionResult> | null> => {
        try {
          const { done, value } = await source.next();
          if (done || stream.isEnded) return null;
          const { text, isLast } = await toClient(value);
          return { value: partOf(text), isLast };
        } catch (error) {
          stream.stop(() => partFrom(error));
          return null;
        }
      };
      const stream = new StoppableIterator(take, release);
      const stop = (error: Error | null): void =>
        stream.stop(error === null ? null : () => partFrom(error));
      const onDisconnect = (): void => stream.stop();
      const atDeadline = (): void => stop(budget?.endReason(null) ?? null);
      connection.addEventListener('abort', onDisconnect);
      if (isSubscription) {
        subscriptions.add(stream);
        keepOpen(context.http.req);
        // A subscription can last for hours. Its events are observed by themselves.
        context.http.observed?.end(200, context.http.outcome, true);
        stopWaiting = atExpiry(context, () => stop(unauthenticated('The token has expired.')));
      } else budget?.addEndListener(atDeadline);
      // Both can have happened while the source was being opened.
      if (connection.aborted || (isSubscription && isEnding)) onDisconnect();
      return stream;
    },
    /** Ends all subscriptions, so that clients connect to another replica. */
    endSubscriptions(): void {
      isEnding = true;
      for (const stream of subscriptions) stream.stop();
    },
  };
}

/** Raises the idle timeout of the connection: the interval of heartbeats can exceed `REQUEST_TIMEOUT_MS`. */
function keepOpen({ socket }: IncomingMessage): void {
  if ((socket.timeout ?? 0) < minIdleTimeoutMs) socket.setTimeout(minIdleTimeoutMs);
}

/**
 * Calls `end` when the credential of the client expires, by the wall clock. Never calls it if the expiry is unknown.
 * @returns a function that cancels the call; null if the expiry is unknown
 */
function atExpiry({ http }: OperationContext, end: () => void): (() => void) | null {
  const expiresAtMs = http.caller?.expiresAtMs;
  if (expiresAtMs === undefined) return null;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const leftMs = expiresAtMs - Date.now();
    // Checked again at intervals, because the clock may be set meanwhile.
    timer = leftMs > 0 ? setTimeout(wait, Math.min(leftMs, maxCheckMs)) : setTimeout(end, 0);
  };
  wait();
  return () => clearTimeout(timer);
}

const minIdleTimeoutMs = 30_000;
/** Maximum time between two checks of the clock. */
const maxCheckMs = 60_000;

/** A serialized part in the form that Yoga expects. */
function partOf(text: string): ExecutionResult {
  return { stringify: () => text } as ExecutionResult;
}

/** A result. `stringify` serializes it, and is set if `useResponse` has prepared it. */
type Result = FormattedExecutionResult & {
  readonly stringify?: (result: FormattedExecutionResult) => string;
};

const boundary = 'graphql';
const defaultHeartbeatMs = 12_000; // the interval of Yoga's server-sent events

/**
 * Returns the response to a subscription in the multipart subscription protocol, which HttpLink of Apollo Client
 * requires. Yoga supports only server-sent events.
 *
 * @param given the results, or a single one
 * @param heartbeatMs time between two heartbeats. Default 12 s
 * @see https://www.apollographql.com/docs/graphos/routing/operations/subscriptions/multipart-protocol
 */
export function multipartResponse(
  given: object,
  { ReadableStream, Response }: FetchAPI,
  heartbeatMs = defaultHeartbeatMs,
): Response {
  const results = given as AsyncIterable<Result> | Result;
  const iterator = Symbol.asyncIterator in results ? results[Symbol.asyncIterator]() : one(results);
  const encoder = new TextEncoder();
  let heartbeat: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string): void => controller.enqueue(encoder.encode(text));
      write(`\r\n--${boundary}`);
      heartbeat = setInterval(() => {
        // A client that does not read needs no heartbeat, and none is queued for it.
        if ((controller.desiredSize ?? 0) > 0) write(part('{}'));
      }, heartbeatMs);
    },
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (!done) {
        const payload = value.stringify?.(value) ?? JSON.stringify(value);
        controller.enqueue(encoder.encode(part(`{"payload":${payload}}`)));
        return;
      }
      clearInterval(heartbeat);
      controller.enqueue(encoder.encode('--\r\n'));
      controller.close();
    },
    async cancel() {
      clearInterval(heartbeat);
      await iterator.return?.();
    },
  });
  return new Response(body, {
    headers: { 'content-type': `multipart/mixed;boundary="${boundary}";subscriptionSpec="1.0"` },
  });
}

/** Returns a part with the boundary after it: clients process a part when they have read the next boundary. */
function part(json: string): string {
  return `\r\ncontent-type: application/json\r\n\r\n${json}\r\n--${boundary}`;
}

async function* one<T>(value: T): AsyncGenerator<T> {
  yield value;
}
