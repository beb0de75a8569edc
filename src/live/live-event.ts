import { isNotFound } from '../rest/client/rest-error.ts';

/** The stream that an event belongs to. */
interface EventSource {
  retry(): void;
  end(): void;
}

/** One event of a live subscription, for its resolver and its executor. */
export class LiveEvent<Change> {
  /** The change since the previous event. Null if the subscription ends with `error`. */
  readonly change: Change | null;
  /** The error that ends the subscription. Null if it continues. */
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
   * Reports that the event was not delivered because the DMS failed. A later event then contains its change. The first
   * retry follows the next poll, and each further one waits for twice as many polls, up to 12.
   */
  retry(): void {
    this.#source.retry();
  }

  /** Ends the subscription after this event. */
  end(): void {
    this.#source.end();
  }
}
