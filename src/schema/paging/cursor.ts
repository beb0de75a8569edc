import { hash } from 'node:crypto';
import { badInput } from '../graphql-error.ts';

/** The largest index that the DMS accepts (REST spec, Limits). */
export const MAX_INDEX = 2_147_483_646;

/** Maximum length of a cursor. A longer text is cut and therefore not recognized as a cursor. */
const MAX_CURSOR = 200;

/**
 * Encodes the position of an item as a cursor. The cursor contains the list and a digest of the arguments that
 * determine it (`scope`), so that a cursor of another list is rejected.
 */
export function toCursor(list: string, scope: string | null, index: number): string {
  return Buffer.from(`${list}:${digest(scope ?? '')}:${index}`).toString('base64url');
}

/** Decodes a cursor to an index. @throws BAD_USER_INPUT if it is not a cursor of this list and scope */
export function fromCursor(
  list: string,
  scope: string | null,
  cursor: string,
  argument: string,
): number {
  const decoded = Buffer.from(cursor.slice(0, MAX_CURSOR), 'base64url').toString();
  const match = /^([a-zA-Z]+):([\w-]{11}):(\d{1,10})$/.exec(decoded);
  const index = Number(match?.[3]);
  if (match === null || index > MAX_INDEX || encodeCursor(decoded) !== cursor) {
    throw badInput(`\`${argument}\` is not a valid cursor.`);
  }
  if (match[1] !== list || (scope !== null && match[2] !== digest(scope))) {
    throw badInput(
      `\`${argument}\` is a cursor of another list, or of this list with other arguments.`,
    );
  }
  return index;
}

const encodeCursor = (decoded: string): string => Buffer.from(decoded).toString('base64url');

/** A digest that distinguishes lists. It does not prevent forged cursors, which are harmless. */
function digest(scope: string): string {
  return hash('sha256', scope, 'base64url').slice(0, 11);
}
