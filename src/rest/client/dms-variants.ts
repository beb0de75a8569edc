import { isNotFound } from './rest-error.ts';

/** Which of two variants of a path the DMS accepts. Null until one has succeeded. */
export interface PathVariant {
  known: 'first' | 'second' | null;
}

/** The detected variants of an ambiguous specification. Kept for the lifetime of the process. */
export interface DmsVariants {
  /** Path of forms: `sysForm` or `sysFrom` (REST spec, System forms). */
  readonly forms: PathVariant;
  /** Path of attachments: with the document ID, or the older one without it (REST spec, Documents 2). */
  readonly attachment: PathVariant;
  /**
   * Whether list values have the version 1 shape: responses contain `kfunid` and `valuedata`, so requests also send
   * these names.
   */
  listValuesAreV1: boolean;
}

/** Creates the initial state, in which nothing is detected yet. */
export function createDmsVariants(): DmsVariants {
  return { forms: { known: null }, attachment: { known: null }, listValuesAreV1: false };
}

/**
 * Sends the request to the first path and, if it returns 404 and no variant is known yet, to the second. Only a success
 * determines the variant, because an object that does not exist is a 404 on both paths.
 *
 * @throws the error of the first path if both return 404
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
    const answer = await second().catch((secondError: unknown) => {
      throw isNotFound(secondError) ? error : secondError;
    });
    variant.known = 'second';
    return answer;
  }
}
