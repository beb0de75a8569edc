import { isNotFound } from '../rest/client/rest-error.ts';

/** The stream of a subscriber that an event comes from. */
interface EventSource {
  retry(): void;
  end(): void;
}

/** One event of a live subscription, for its resolver and its executor. */
export class LiveEvent<Change> {
  /** What changed since the event before; null if the subscription ends with `error`. */
  readonly change: Change | null;
  /** Why the subscription ends; null unless it does. */
  readonly error: unknown;
  readonly #source: EventSource;

  constructor(source: EventSource, change: Change | null, error: unknown = null) {
    this.#source = source;
    this.change = change;
    this.error = error;
  }

  /** Whether the subscription ends because the watched object does not exist or is not visible to the caller. */
  get isNotFound(): boolean {
    return isNotFound(this.error);
  }

  /**
   * The event could not be delivered, because the DMS failed: its change is part of a later event. The first retry
   * follows the next poll, and each further one waits for twice as many polls, up to 12.
   */
  retry(): void {
    this.#source.retry();
  }

  /** This is the last event of the subscription. */
  end(): void {
    this.#source.end();
  }
}
