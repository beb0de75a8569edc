import { isNotFound } from './rest-error.ts';

export interface PathVariant {
  known: 'first' | 'second' | null;
}

export interface DmsVariants {
  /** Path of forms: `sysForm` or `sysFrom` (REST spec, System forms). */
  readonly forms: PathVariant;
  /** Path of attachments: with the document ID, or the older one without it (REST spec, Documents 2). */
  readonly attachment: PathVariant;
  listValuesAreV1: boolean;
}

export function createDmsVariants(): DmsVariants {
  return { forms: { known: null }, attachment: { known: null }, listValuesAreV1: false };
}

/**
 * Sends the request to the first path and, if it returns 404 and no variant is known yet, to the second. Only a success
 * determines the variant, because an object that does not exist is a 404 on both paths.
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
