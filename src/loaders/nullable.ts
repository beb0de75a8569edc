import { isNotFound } from '../rest/client/rest-error.ts';

/** What a read by key gives: null where there is no such thing. */
export type Nullable<T> = T | null;

/** For the failure of a read: "there is no such thing" is an answer; every other failure stays one. */
export function nullIfNotFound(error: unknown): null {
  if (isNotFound(error)) return null;
  throw error;
}
