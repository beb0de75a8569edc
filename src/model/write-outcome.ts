/**
 * The result of a write, as far as the user can react to it. Failures that only an operator can resolve (the DMS is
 * unavailable or too slow, or the outcome is unknown) are thrown.
 */
export type WriteOutcome<T> =
  | { readonly outcome: 'done'; readonly value: T }
  /** The request was executed and no data changed. */
  | { readonly outcome: 'nothingChanged' }
  /** The DMS rejected the input. `message` is its reason on one line, for the user. */
  | { readonly outcome: 'rejected'; readonly message: string }
  | { readonly outcome: 'notFound' }
  /** `requiredRole` is the role that the DMS requires. Null if its specification names none. */
  | { readonly outcome: 'forbidden'; readonly requiredRole: string | null };
