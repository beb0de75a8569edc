/** The identity that sends a request to the DMS. */
export interface Caller {
  /**
   * Identifies credential and run-as user together: callers with equal keys see the same data. Caches and shared reads
   * use it as a key. Never logged.
   */
  readonly key: string;
  /** Value of the run-as header. Null if the credential identifies the user by itself. */
  readonly runAs: string | null;
  /** Returns the Authorization header of one call. `path` is relative to the base URL and has no query. */
  readonly authorize: (method: string, path: string) => string | null | Promise<string | null>;
  /** Called when the DMS answers a call with 401. The call is not repeated; later calls can use a new credential. */
  readonly onUnauthorized?: (method: string, path: string) => void;
  /** When the client's own credential expires, in ms since the epoch; undefined if the gateway does not verify it. */
  readonly expiresAtMs?: number;
}
