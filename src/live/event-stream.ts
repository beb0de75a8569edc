import { LiveEvent } from './live-event.ts';
import type { Watch } from './watch.ts';

type Step<Change> = IteratorResult<LiveEvent<Change>, undefined>;

const done = { done: true, value: undefined } as const;
/** Maximum number of polls between two attempts to deliver the same event. */
const maxSkippedPolls = 12;

/**
 * The events of one subscription. Each is computed on demand from the current state and the one that was delivered
 * last. A slow client therefore misses intermediate states, and no queue is required.
 *
 * A class instead of an async generator, whose `return` waits for a pending `next`.
 */
export class EventStream<State, Change> implements AsyncIterableIterator<
  LiveEvent<Change>,
  undefined
> {
  #watch: Watch<State>;
  readonly #changeBetween: (before: State | null, now: State) => Change | null;
  /** State of the last event that was returned, and of the one before it. */
  #delivered: State | null = null;
  #deliveredBefore: State | null = null;
  /** Consecutive failed attempts to deliver the same event. */
  #failures = 0;
  #isRetried = false;
  /** The number of successful polls of the watch at which the event is delivered again. */
  #retryAtPoll = 0;
  #isEnded = false;
  #resolve: ((step: Step<Change>) => void) | null = null;

  /**
   * @param changeBetween returns the change of an event, or null if there is none. `before` is null for the first
   * event.
   */
  constructor(
    watch: Watch<State>,
    changeBetween: (before: State | null, now: State) => Change | null,
  ) {
    this.#watch = watch;
    this.#changeBetween = changeBetween;
    watch.add(this);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step<Change>> {
    if (!this.#isRetried) this.#failures = 0;
    this.#isRetried = false;
    const step = this.#take();
    if (step !== null) return Promise.resolve(step);
    return new Promise((resolve) => (this.#resolve = resolve));
  }

  return(): Promise<Step<Change>> {
    this.end();
    return Promise.resolve(done);
  }

  switchTo(watch: Watch<State>): void {
    this.#watch = watch;
    this.#retryAtPoll = 0;
    watch.add(this);
    this.update();
  }

  update(): void {
    if (this.#resolve === null) return;
    const step = this.#take();
    if (step !== null) this.#settle(step);
  }

  retry(): void {
    this.#delivered = this.#deliveredBefore;
    this.#isRetried = true;
    this.#failures += 1;
    const skipped = Math.min(2 ** (this.#failures - 1), maxSkippedPolls);
    this.#retryAtPoll = this.#watch.successfulPolls + skipped;
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#watch.remove(this);
    this.#settle(done);
  }

  #settle(step: Step<Change>): void {
    const resolve = this.#resolve;
    this.#resolve = null;
    resolve?.(step);
  }

  #take(): Step<Change> | null {
    if (this.#isEnded) return done;
    const { state, endReason, successfulPolls } = this.#watch;
    if (endReason !== null) {
      this.#isEnded = true;
      this.#watch.remove(this);
      return { done: false, value: new LiveEvent<Change>(this, null, endReason) };
    }
    if (state === null || state === this.#delivered || successfulPolls < this.#retryAtPoll) {
      return null;
    }
    const change = this.#changeBetween(this.#delivered, state);
    if (change === null) return null;
    this.#deliveredBefore = this.#delivered;
    this.#delivered = state;
    return { done: false, value: new LiveEvent(this, change) };
  }
}
