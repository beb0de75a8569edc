import { isNotFound } from './rest-error.ts';

/** Which of two variants of a path this DMS accepts, as far as it is known. */
export interface PathVariant {
  known: 'first' | 'second' | null;
}

/** What was detected about this DMS where its specification allows two readings. Kept as long as the process runs. */
export interface DmsVariants {
  /** `sysForm` or `sysFrom` as the path of forms. */
  readonly forms: PathVariant;
  /** Attachment path with the document's id, or the earlier one without it. */
  readonly attachment: PathVariant;
  /** Version 1 shape of list values: answers say `kfunid` and `valuedata`, so queries and bodies do too. */
  listValuesAreV1: boolean;
}

export function createDmsVariants(): DmsVariants {
  return { forms: { known: null }, attachment: { known: null }, listValuesAreV1: false };
}

/**
 * Sends the request to the first path and, on 404 while neither is known, to the second. Only success teaches: an object that
 * does not exist is a 404 in both.
 *
 * @throws the first path's error when both say 404
 */
export async function withPathVariant<T>(
  variant: PathVariant,
  first: () => Promise<T>,
  second: () => Promise<T>,
): Promise<T> {
  if (variant.known === 'second') return second();
  try {
    const answer = await first();
    variant.known = 'first';
    return answer;
  } catch (error) {
    if (variant.known !== null || !isNotFound(error)) throw error;
    return await trySecond(variant, second, error);
  }
}

async function trySecond<T>(
  variant: PathVariant,
  second: () => Promise<T>,
  firstError: unknown,
): Promise<T> {
  try {
    const answer = await second();
    variant.known = 'second';
    return answer;
  } catch (error) {
    throw isNotFound(error) ? firstError : error;
  }
}
