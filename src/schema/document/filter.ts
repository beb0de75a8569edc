import type { DocumentFilter } from '../../model/document.ts';
import { isValidId } from '../../model/id.ts';
import { badInput, checkCount, checkRange } from '../graphql-error.ts';
import { bounds } from '../input/list-bounds.ts';
import { builder } from '../builder.ts';
import { dmsIdFrom } from '../ids.ts';
import { isServiceAccount } from '../related-objects.ts';

/** The input type of the `filter` argument of document lists. */
export const FilterInput = builder.inputType('DocumentFilter', {
  description:
    'Filter for documents. A document must match all fields that are set. Omitted, null and empty fields match every document.',
  fields: (t) => ({
    state: t.int({ description: 'Number of the workflow phase, 0 to 100.' }),
    step: t.int({ description: 'Step within the phase, 0 to 100.' }),
    iteration: t.int({ description: 'Iteration within the phase, 0 to 100.' }),
    status: t.int({ description: 'Document status, 1 to 10.' }),
    forms: t.idList({
      description: `Documents of any of these forms: global or full IDs, at most ${bounds.filterEntries}.`,
    }),
    authors: t.idList({
      description: `Documents of any of these authors: global or system IDs, such as \`usr-ann\` or \`api-gateway\`; at most ${bounds.filterEntries}.`,
    }),
    tags: t.stringList({
      description: `Documents with all of these tags, at most ${bounds.filterEntries}. A tag cannot contain a comma.`,
    }),
  }),
});

/** The value of `DocumentFilter`, not yet validated. */
export type FilterArgs = typeof FilterInput.$inferInput;

const ranges = { state: [0, 100], step: [0, 100], iteration: [0, 100], status: [1, 10] } as const;

/**
 * Validates a filter and translates its IDs. Null and empty values are omitted.
 * @throws BAD_USER_INPUT for numbers out of range (REST spec, Limits), IDs of other types, and commas in tags
 */
export function filterOf(args: FilterArgs | null | undefined): DocumentFilter {
  if (args == null) return {};
  const numbers: { -readonly [Name in keyof typeof ranges]?: number } = {};
  for (const name of Object.keys(ranges) as (keyof typeof ranges)[]) {
    const value = args[name];
    if (value == null) continue;
    const [from, to] = ranges[name];
    checkRange(`filter.${name}`, value, from, to);
    numbers[name] = value;
  }
  const forms = list('forms', args.forms, (id, at) => withoutComma(dmsIdFrom('Form', id, at), at));
  const authors = list('authors', args.authors, authorId);
  const tags = list('tags', args.tags, tag);
  return {
    ...numbers,
    ...(forms && { forms }),
    ...(authors && { authors }),
    ...(tags && { tags }),
  };
}

function list(
  name: string,
  values: readonly string[] | null | undefined,
  check: (value: string, at: string) => string,
): readonly string[] | null {
  if (values == null || values.length === 0) return null;
  checkCount(`filter.${name}`, values, bounds.filterEntries);
  return values.map((value, i) => check(value, `filter.${name}[${i}]`));
}

/** The DMS separates list members with commas, so it would read an ID with a comma as two. */
function withoutComma(id: string, at: string): string {
  if (!id.includes(',')) return id;
  throw badInput(`\`${at}\` must be an ID without commas.`);
}

/** Validates an author: a person or a service account. Only persons have global IDs. */
function authorId(id: string, at: string): string {
  if (isServiceAccount(id) && isValidId(id)) return withoutComma(id, at);
  const what = 'a system ID that begins with `usr-` or `api-`';
  return withoutComma(dmsIdFrom('Person', id, at, what), at);
}

/** Validates a tag. Tags are joined with commas in the request, so the DMS would read a tag with a comma as two. */
function tag(value: string, at: string): string {
  if (value !== '' && value.length <= 256 && !/[,\p{Cc}]/u.test(value)) return value;
  throw badInput(`\`${at}\` must have 1 to 256 characters without control characters and commas.`);
}
