import { hash } from 'node:crypto';
import type { GraphQLError } from 'graphql';
import type { PageRequest } from '../../model/common.ts';
import { builder } from '../builder.ts';
import { badInput, checkRange } from '../graphql-error.ts';

export interface PageArgs {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
  readonly offset?: number | null | undefined;
}

export interface List {
  readonly name: string;
  readonly scope: string;
}

const DEFAULT_SIZE = 10;
const MAX_SIZE = 500;

export const relayArgs = builder.args((t) => ({
  first: t.int({
    description: `Number of items to return from the start of the list, or after \`after\`: 1 to ${MAX_SIZE}. Default: ${DEFAULT_SIZE}, unless \`last\` is set.`,
  }),
  after: t.string({
    description:
      'Return the items after this cursor. For the next page, pass `pageInfo.endCursor`. A cursor of another list, view or filter is rejected with `BAD_USER_INPUT`.',
  }),
  last: t.int({
    description: `Number of items to return from the end of the list, or before \`before\`: 1 to ${MAX_SIZE}. Cannot be combined with \`first\`. Without \`before\`, the DMS must report the total count; otherwise the code is \`BAD_USER_INPUT\`.`,
  }),
  before: t.string({
    description:
      'Return the items before this cursor. For the previous page, pass `pageInfo.startCursor`. A cursor of another list, view or filter is rejected with `BAD_USER_INPUT`.',
  }),
}));

export const pageArgs = {
  ...relayArgs,
  ...builder.args((t) => ({
    offset: t.int({
      description:
        'Zero-based index of the first item, for jumping to a page: `first: 10, offset: 20` returns the third page. Can only be combined with `first`.',
    }),
  })),
};

/**
 * The requested range of indexes. `to` is null if it is the end of the list. With `fromEnd`, `size` counts from the end
 * of the range.
 */
export interface Window {
  readonly from: number;
  readonly to: number | null;
  readonly size: number;
  readonly fromEnd: boolean;
  /**
   * The size for the limits. 1 if neither `first` nor `last` is set: most lists without a stated size, such as
   * references, are shorter than the default page, and a client that has stated none must not be rejected for it.
   */
  readonly requestedItems: number;
  readonly cursors: readonly Cursor[];
}

interface Cursor {
  readonly argument: 'after' | 'before';
  readonly index: number;
  readonly digest: string;
}

export function parseWindow(args: PageArgs, name: string): Window {
  const { first, after, last, before, offset } = args;
  if (first != null && last != null) throw badInput('`first` and `last` cannot be combined.');
  if (offset != null && (after != null || before != null || last != null)) {
    throw badInput('`offset` can only be combined with `first`.');
  }
  if (first != null) checkRange('first', first, 1, MAX_SIZE);
  if (last != null) checkRange('last', last, 1, MAX_SIZE);
  if (offset != null) checkRange('offset', offset, 0, MAX_INDEX);
  const start = after == null ? null : fromCursor(name, after, 'after');
  const end = before == null ? null : fromCursor(name, before, 'before');
  return {
    from: start === null ? (offset ?? 0) : Math.min(start.index + 1, MAX_INDEX),
    to: end?.index ?? null,
    size: first ?? last ?? DEFAULT_SIZE,
    fromEnd: last != null,
    requestedItems: first ?? last ?? 1,
    cursors: [start, end].filter((cursor) => cursor !== null),
  };
}

export function checkCursors({ cursors }: Window, { scope }: List): void {
  const other = cursors.find((cursor) => cursor.digest !== digest(scope));
  if (other !== undefined) throw otherList(other.argument);
}

export function slice({ from, to, size, fromEnd }: Window, end: number): PageRequest {
  const upper = Math.min(to ?? end, end);
  const first = fromEnd ? Math.max(from, upper - size) : from;
  return { first, pageSize: Math.max(0, Math.min(size, upper - first)) };
}

/** The largest index that the DMS accepts (REST spec, Limits). */
export const MAX_INDEX = 2_147_483_646;

/** Maximum length of a cursor. A longer text is cut and therefore not recognized as a cursor. */
const MAX_CURSOR = 200;

/**
 * Encodes the position of an item as a cursor. The cursor contains the list and a digest of the arguments that
 * determine it (`scope`), so that a cursor of another list is rejected.
 */
export function toCursor({ name, scope }: List, index: number): string {
  return Buffer.from(`${name}:${digest(scope)}:${index}`).toString('base64url');
}

function fromCursor(name: string, cursor: string, argument: Cursor['argument']): Cursor {
  const decoded = Buffer.from(cursor.slice(0, MAX_CURSOR), 'base64url').toString();
  const match = /^([a-zA-Z]+):([\w-]{11}):(\d{1,10})$/.exec(decoded);
  const index = Number(match?.[3]);
  if (match === null || index > MAX_INDEX || encodeCursor(decoded) !== cursor) {
    throw badInput(`\`${argument}\` is not a valid cursor.`);
  }
  if (match[1] !== name) throw otherList(argument);
  return { argument, index, digest: match[2]! };
}

function otherList(argument: string): GraphQLError {
  return badInput(
    `\`${argument}\` is a cursor of another list, or of this list with other arguments.`,
  );
}

const encodeCursor = (decoded: string): string => Buffer.from(decoded).toString('base64url');

/** A digest that distinguishes lists. It does not prevent forged cursors, which are harmless. */
function digest(scope: string): string {
  return hash('sha256', scope, 'base64url').slice(0, 11);
}
