import { createHash } from 'node:crypto';
import { badInput } from '../graphql-error.ts';

/** The largest index that the DMS takes (REST spec, Limits). */
export const MAX_INDEX = 2_147_483_646;

/** Longer than any of ours: what is cut there is not what was given. */
const MAX_CURSOR = 200;

/**
 * Where an item stands in a list. The cursor is bound to the list and to the arguments that made it
 * (`scope`), so that one of another list is refused instead of leading somewhere.
 */
export function toCursor(list: string, scope: string | null, index: number): string {
  return Buffer.from(`${list}:${digest(scope ?? '')}:${index}`).toString('base64url');
}

/** @throws BAD_USER_INPUT for what is not a cursor of this gateway, list and arguments. */
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

/** Distinguishes lists that a client could confuse. It does not prevent forged cursors, which do no harm. */
function digest(scope: string): string {
  return createHash('sha256').update(scope).digest('base64url').slice(0, 11);
}
