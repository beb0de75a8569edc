import { hash } from 'node:crypto';

export interface Caller {
  /**
   * Identifies credential, run-as user and forwarded headers together: callers with equal keys see the same data. Caches
   * and shared reads use it as a key. Never logged.
   */
  readonly key: string;
  readonly userKey?: string;
  readonly forwarded?: Readonly<Record<string, string>>;
  readonly runAs: string | null;
  /**
   * The Authorization header: of all calls, or a function that signs one call. `path` is relative to the base URL and
   * has no query. Null: calls have none.
   */
  readonly authorization: string | null | ((method: string, path: string) => Promise<string>);
  readonly onUnauthorized?: (method: string, path: string) => void;
  readonly expiresAtMs?: number;
}

export function callerDigest({ key }: Pick<Caller, 'key'>): string {
  return hash('sha256', key, 'base64url');
}

export function userKeyOf({ key, userKey = key }: Pick<Caller, 'key' | 'userKey'>): string {
  return userKey;
}
