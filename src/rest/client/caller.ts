import { hash } from 'node:crypto';

export interface Caller {
  /**
   * Identifies credential, run-as user and forwarded headers together: callers with equal keys see the same data. Caches
   * and shared reads use it as a key. Never logged.
   */
  readonly key: string;
  /** As `key`, without the forwarded headers, which a client can vary. Limits count by it. Undefined: as `key`. */
  readonly userKey?: string;
  /** The headers of the client that the DMS receives, by their names in lower case. Undefined: none. */
  readonly forwarded?: Readonly<Record<string, string>>;
  /** Value of the run-as header. Null if the credential identifies the user by itself. */
  readonly runAs: string | null;
  /**
   * The Authorization header: of all calls, or a function that signs one call. `path` is relative to the base URL and
   * has no query. Null: calls have none.
   */
  readonly authorization: string | null | ((method: string, path: string) => Promise<string>);
  /** Called when the DMS answers a call with 401. The call is not repeated; later calls can use a new credential. */
  readonly onUnauthorized?: (method: string, path: string) => void;
  readonly expiresAtMs?: number;
}

/** A hash of the whole identity, for messages between processes. It contains no credential. */
export function callerDigest({ key }: Pick<Caller, 'key'>): string {
  return hash('sha256', key, 'base64url');
}

/** Identifies credential and run-as user. Limits count by it. Never logged. */
export function userKeyOf({ key, userKey = key }: Pick<Caller, 'key' | 'userKey'>): string {
  return userKey;
}
