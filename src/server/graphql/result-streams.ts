import type { ExecutionResult } from 'graphql';
import { unauthenticated } from '../errors/http-error.ts';
import { after, type MaybePromise, type SerializedPart } from './serialize-result.ts';
import type { HttpExchange } from '../http/http-exchange.ts';

/** The results that are sent in parts: those with `@defer` and `@stream`, and subscriptions. */
export interface ResultStreams {
  /**
   * Returns the parts of a result as they are sent. The stream ends when the client disconnects. A subscription also
   * ends at shutdown, and with an error when the token that opened it expires. Any other result also ends at the
   * deadline of its operation, with an error as its last part.
   */
  open(
    exchange: HttpExchange,
    parts: AsyncIterable<ExecutionResult>,
    toClient: (part: ExecutionResult) => MaybePromise<SerializedPart>,
  ): AsyncIterable<ExecutionResult>;
  /** Ends all subscriptions, so that clients connect to another replica. */
  endSubscriptions(): void;
}

/** Creates the registry of open streams, one per gateway. */
export function createResultStreams(): ResultStreams {
  const subscriptions = new Set<PartStream>();
  let isEnding = false;
  return {
    open(exchange, parts, toClient) {
      const { budget, connection } = exchange;
      let stopWaiting: (() => void) | null = null;
      const isSubscription = exchange.operationType === 'subscription';
      const release = (): void => {
        subscriptions.delete(stream);
        stopWaiting?.();
        budget?.removeEndListener(atDeadline);
        connection.removeEventListener('abort', onDisconnect);
      };
      const source = parts[Symbol.asyncIterator]();
      const stream = new PartStream(source, toClient, release, isSubscription);
      const onDisconnect = (): void => stream.stop(null);
      const atDeadline = (): void => stream.stop(budget?.endReason(null) ?? null);
      connection.addEventListener('abort', onDisconnect);
      if (isSubscription) {
        subscriptions.add(stream);
        keepOpen(exchange);
        // A subscription can last for hours. Its events have traces of their own.
        exchange.trace?.end(200, exchange.outcome, true);
        stopWaiting = atExpiry(exchange, () =>
          stream.stop(unauthenticated('The token has expired.')),
        );
      } else budget?.addEndListener(atDeadline);
      // Both can have happened while the source was being opened.
      if (connection.aborted || (isSubscription && isEnding)) onDisconnect();
      return stream;
    },
    endSubscriptions() {
      isEnding = true;
      for (const stream of subscriptions) stream.stop(null);
    },
  };
}

/** Raises the idle timeout of the connection: the interval of heartbeats can exceed `REQUEST_TIMEOUT_MS`. */
function keepOpen({ req: { socket } }: HttpExchange): void {
  if ((socket.timeout ?? 0) < minIdleTimeoutMs) socket.setTimeout(minIdleTimeoutMs);
}

/**
 * Calls `end` when the credential of the client expires, by the wall clock. Never calls it if the expiry is unknown.
 * @returns a function that cancels the call; null if the expiry is unknown
 */
function atExpiry({ caller }: HttpExchange, end: () => void): (() => void) | null {
  const expiresAtMs = caller?.expiresAtMs;
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

type Step = IteratorResult<ExecutionResult, undefined>;

const done: Step = { done: true, value: undefined };

/** A class instead of an async generator, whose `return` waits for a pending `next`. */
class PartStream implements AsyncIterableIterator<ExecutionResult, undefined> {
  readonly #parts: AsyncIterator<ExecutionResult>;
  readonly #toClient: (part: ExecutionResult) => MaybePromise<SerializedPart>;
  readonly #onEnd: () => void;
  readonly #isSubscription: boolean;
  #isEnded = false;
  /** The error that stopped the stream, until it is sent to the client. */
  #lastError: Error | null = null;
  #settle: ((step: MaybePromise<Step>) => void) | null = null;

  constructor(
    parts: AsyncIterator<ExecutionResult>,
    toClient: (part: ExecutionResult) => MaybePromise<SerializedPart>,
    onEnd: () => void,
    isSubscription: boolean,
  ) {
    this.#isSubscription = isSubscription;
    this.#parts = parts;
    this.#toClient = toClient;
    this.#onEnd = onEnd;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step> {
    if (this.#isEnded) return Promise.resolve(this.#lastStep());
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#takeNext().catch((error: unknown) => {
        if (this.#isEnded) return;
        this.#end(this.#failed(error));
        closeSource(this.#parts);
      });
    });
  }

  async #takeNext(): Promise<void> {
    const { done: isDone, value } = await this.#parts.next();
    if (this.#isEnded) return;
    if (isDone) {
      this.#end(done);
      return;
    }
    const { text, isLast } = await this.#toClient(value);
    if (this.#isEnded) return;
    this.#answer({ done: false, value: partOf(text) });
    if (isLast) this.stop(null);
  }

  return(): Promise<Step> {
    this.stop(null);
    return Promise.resolve(done);
  }

  /** @param error sent to the client in a last part */
  stop(error: Error | null): void {
    if (this.#isEnded) return;
    this.#lastError = error;
    this.#isEnded = true;
    this.#onEnd();
    closeSource(this.#parts);
    if (this.#settle !== null) this.#answer(this.#lastStep());
  }

  #end(step: MaybePromise<Step>): void {
    this.#isEnded = true;
    this.#onEnd();
    this.#answer(step);
  }

  #answer(step: MaybePromise<Step>): void {
    const settle = this.#settle;
    this.#settle = null;
    settle?.(step);
  }

  #lastStep(): MaybePromise<Step> {
    const error = this.#lastError;
    this.#lastError = null;
    return error === null ? done : this.#failed(error);
  }

  #failed(error: unknown): MaybePromise<Step> {
    const part = { errors: [error], ...(!this.#isSubscription && { hasNext: false }) };
    const serialized = this.#toClient(part as unknown as ExecutionResult);
    return after(serialized, ({ text }) => ({ done: false, value: partOf(text) }));
  }
}

/** A serialized part in the form that Yoga expects. */
function partOf(text: string): ExecutionResult {
  return { stringify: () => text } as ExecutionResult;
}

/** Closes a source without waiting. Its errors are ignored, and a source that is busy ends later. */
export function closeSource(parts: AsyncIterator<unknown>): void {
  (async () => parts.return?.())().catch(() => {});
}
