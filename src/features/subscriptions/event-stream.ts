import { isNotFound } from '../../rest/index.ts';
import { StoppableIterator, type Item } from '../../server/graphql/stoppable-iterator.ts';
import type { Watch } from './watch.ts';

/** Maximum number of polls between two attempts to deliver the same event. */
const maxSkippedPolls = 12;

type EventSource<Change> = Pick<EventStream<unknown, Change>, 'events' | 'retry'>;

/** One event of a live subscription, for its resolver and its executor. */
export class LiveEvent<Change> {
  /** The change since the previous event. Null if the subscription ends with `error`. */
  readonly change: Change | null;
  /** The error that ends the subscription. Null if it continues. */
  readonly error: unknown;
  readonly #stream: EventSource<Change>;

  constructor(stream: EventSource<Change>, change: Change | null, error: unknown = null) {
    this.#stream = stream;
    this.change = change;
    this.error = error;
  }

  /** Whether the subscription ends because the watched object does not exist or is not visible to the caller. */
  get isNotFound(): boolean {
    return isNotFound(this.error);
  }

  /**
   * Reports that the event was not delivered because the DMS failed. A later event then contains its change. The first
   * retry follows the next poll, and each further one waits for twice as many polls, up to 12.
   */
  retry(): void {
    this.#stream.retry();
  }

  /** Ends the subscription after this event. */
  end(): void {
    this.#stream.events.stop();
  }
}

/**
 * The events of one subscription. Each is computed on demand from the current state and the one that was delivered
 * last. A slow client therefore misses intermediate states, and no queue is required.
 */
export class EventStream<State, Change> {
  readonly events: StoppableIterator<LiveEvent<Change>>;
  readonly #watch: Watch<State>;
  readonly #changeBetween: (before: State | null, now: State) => Change | null;
  /** State of the last event that was returned, and of the one before it. */
  #delivered: State | null = null;
  #deliveredBefore: State | null = null;
  /** Consecutive failed attempts to deliver the same event. */
  #failures = 0;
  #isRetried = false;
  /** The number of successful polls of the watch at which the event is delivered again. */
  #retryAtPoll = 0;
  /** Continues the request for the next event. */
  #wake: (() => void) | null = null;

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
    this.events = new StoppableIterator(
      () => this.#take(),
      () => this.#watch.remove(this),
    );
    watch.add(this);
  }

  update(): void {
    this.#wake?.();
  }

  retry(): void {
    this.#delivered = this.#deliveredBefore;
    this.#isRetried = true;
    this.#failures += 1;
    const skipped = Math.min(2 ** (this.#failures - 1), maxSkippedPolls);
    this.#retryAtPoll = this.#watch.successfulPolls + skipped;
  }

  async #take(): Promise<Item<LiveEvent<Change>>> {
    if (!this.#isRetried) this.#failures = 0;
    this.#isRetried = false;
    for (;;) {
      const item = this.#currentEvent();
      if (item !== null) return item;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Null if there is no new event. */
  #currentEvent(): Item<LiveEvent<Change>> | null {
    const { state, endReason, successfulPolls } = this.#watch;
    if (endReason !== null) {
      return { value: new LiveEvent<Change>(this, null, endReason), isLast: true };
    }
    if (state === null || state === this.#delivered || successfulPolls < this.#retryAtPoll) {
      return null;
    }
    const change = this.#changeBetween(this.#delivered, state);
    if (change === null) return null;
    this.#deliveredBefore = this.#delivered;
    this.#delivered = state;
    return { value: new LiveEvent(this, change) };
  }
}
