import type { ExecutionResult } from 'graphql';
import { LiveEvent } from '../../live/live-event.ts';
import { errorCodes } from '../../model/error-codes.ts';
import { RestError } from '../../rest/client/rest-error.ts';
import { rootCause } from '../errors/client-error.ts';

/** Executes the operation for one event of its source. */
type ExecuteEvent = (event: unknown) => Promise<ExecutionResult>;

type Step = IteratorResult<ExecutionResult, undefined>;

const done: Step = { done: true, value: undefined };

/**
 * The results of a subscription. The next event is read when the next result is requested.
 *
 * If the root field of a live event fails because the DMS is not available or RATE_LIMIT is reached, the event is
 * retried later instead of sent, because clients end a subscription after a result without data. If every later event
 * would fail too, its error is the last result.
 *
 * A class instead of an async generator, whose `return` waits for a pending `next`.
 */
export class EventResults implements AsyncIterableIterator<ExecutionResult, undefined> {
  readonly #events: AsyncIterator<unknown>;
  readonly #execute: ExecuteEvent;
  readonly #onRetry: (cause: RestError) => void;
  readonly #onEnd: () => void;
  #isEnded = false;

  /** @param onEnd called once, when the results end or the client stops reading them */
  constructor(
    events: AsyncIterable<unknown>,
    execute: ExecuteEvent,
    onRetry: (cause: RestError) => void,
    onEnd: () => void,
  ) {
    this.#events = events[Symbol.asyncIterator]();
    this.#execute = execute;
    this.#onRetry = onRetry;
    this.#onEnd = onEnd;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<Step> {
    try {
      while (!this.#isEnded) {
        const step = await this.#events.next();
        if (step.done) break;
        const event: unknown = step.value;
        const result = await this.#execute(event);
        if (event instanceof LiveEvent && !this.#isDeliverable(event, result)) continue;
        return { done: false, value: result };
      }
    } catch (error) {
      this.#end();
      throw error;
    }
    this.#end();
    return done;
  }

  async return(): Promise<Step> {
    this.#end();
    await this.#events.return?.();
    return done;
  }

  #isDeliverable(event: LiveEvent<unknown>, result: ExecutionResult): boolean {
    const cause = rootFailure(result);
    if (cause === null || event.change === null) return true;
    if (errorCodes[cause.code].isTransient) {
      event.retry();
      this.#onRetry(cause);
      return false;
    }
    if (errorCodes[cause.code].endsSubscription) event.end();
    return true;
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#onEnd();
  }
}

/** The error of the upstream call that made the root field fail. Null if there is data, or another error. */
function rootFailure({ data, errors = [] }: ExecutionResult): RestError | null {
  const hasData = data != null && Object.values(data).some((value) => value !== null);
  if (hasData) return null;
  return errors.map(rootCause).find((cause) => cause instanceof RestError) ?? null;
}
