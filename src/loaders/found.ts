import { isNotFound } from '../rest/errors.ts';

/** What a read by key gives: null where there is no such thing. */
export type Found<T> = T | null;

/** Turns "there is no such thing" into null; every other failure stays one. */
export async function foundOrNull<T>(reading: Promise<T>): Promise<Found<T>> {
  try {
    return await reading;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}
