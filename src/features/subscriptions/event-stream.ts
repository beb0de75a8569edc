import { isNotFound } from '../../rest/index.ts';
import { StoppableIterator, type Item } from '../../server/graphql/result-stream.ts';
import type { Watch } from './watch.ts';

const maxSkippedPolls = 12;

type EventSource<Change> = Pick<EventStream<unknown, Change>, 'events' | 'retry'>;

export class LiveEvent<Change> {
  readonly change: Change | null;
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

  end(): void {
    this.#stream.events.stop();
  }
}

export class EventStream<State, Change> {
  readonly events: StoppableIterator<LiveEvent<Change>>;
  readonly #watch: Watch<State>;
  readonly #changeBetween: (before: State | null, now: State) => Change | null;
  #delivered: State | null = null;
  #deliveredBefore: State | null = null;
  #failures = 0;
  #isRetried = false;
  #retryAtPoll = 0;
  #wake: (() => void) | null = null;

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
