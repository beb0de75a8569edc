/**
 * How a write ended, as far as a person at the screen can act on it. What only an operator can act on (the DMS
 * away, late, or the outcome unknown) is thrown instead.
 */
export type WriteOutcome<T> =
  | { readonly outcome: 'done'; readonly value: T }
  /** The request was executed and no data changed. */
  | { readonly outcome: 'nothingChanged' }
  /** The DMS did not accept what was sent; `message` is its reason on one line, for a person to read. */
  | { readonly outcome: 'rejected'; readonly message: string }
  | { readonly outcome: 'notFound' }
  /** `requiredRole` is the role that the DMS asks for, where its specification names one. */
  | { readonly outcome: 'forbidden'; readonly requiredRole: string | null };
