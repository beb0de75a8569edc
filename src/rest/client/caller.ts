/** Who asks. */
export interface Caller {
  /**
   * The whole identity, credential and run-as: equal keys see the same answers. Caches and shared calls are
   * kept by it. Never logged.
   */
  readonly key: string;
  /** Value of the run-as header; null where the credential speaks for itself. */
  readonly runAs: string | null;
  /** The Authorization header of one call; `path` is below the base URL, without the query. */
  readonly authorize: (method: string, path: string) => string | null | Promise<string | null>;
  /** Called when the DMS answers such a call with 401. The call is not repeated; the next one can be authorized anew. */
  readonly onUnauthorized?: (method: string, path: string) => void;
  /** When the client's own credential expires, in ms since the epoch; undefined if the gateway does not verify it. */
  readonly expiresAtMs?: number;
}
