/**
 * The result of a write, as far as the user can react to it. Failures that only an operator can resolve (the DMS is
 * unavailable or too slow, or the outcome is unknown) are thrown.
 *
 * `message` is the reason of the DMS on one line, for the user. Null if it gave none.
 */
export type WriteOutcome<T> =
  | { readonly outcome: 'done'; readonly value: T }
  /** The request was executed and no data changed. */
  | { readonly outcome: 'nothingChanged'; readonly message: string | null }
  /** The DMS rejected the input. Without a reason, `message` only says so. */
  | { readonly outcome: 'rejected'; readonly message: string }
  | { readonly outcome: 'notFound'; readonly message: string | null }
  /** `requiredRole` is the role that the DMS requires. Null if its specification names none. */
  | {
      readonly outcome: 'forbidden';
      readonly message: string | null;
      readonly requiredRole: string | null;
    };
