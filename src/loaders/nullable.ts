import { isNotFound } from '../rest/client/rest-error.ts';

/** Returns null if the error of a read is `NOT_FOUND`. @throws every other error */
export function nullIfNotFound(error: unknown): null {
  if (isNotFound(error)) return null;
  throw error;
}
