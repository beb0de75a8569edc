import type { DocumentFilter } from '../../model/document.ts';
import type { DeclaredForms } from '../../model/form.ts';
import { isFullId } from '../../model/resource.ts';
import { badInput, checkCount, checkRange } from '../graphql-error.ts';
import { bounds } from '../input/list-bounds.ts';
import { builder } from '../builder.ts';
import { dmsIdFrom, fromGlobalId } from '../ids.ts';
import { isServiceAccount } from '../related-objects.ts';

export const FilterInput = builder.inputType('DocumentFilter', {
  description:
    'Filter for documents. A document must match all fields that are set. Omitted, null and empty fields match every document.',
  fields: (t) => ({
    state: t.int({ description: 'Number of the workflow phase, 0 to 100.' }),
    step: t.int({ description: 'Step within the phase, 0 to 100.' }),
    iteration: t.int({ description: 'Iteration within the phase, 0 to 100.' }),
    status: t.int({ description: 'Document status, 1 to 10.' }),
    forms: t.idList({
      description: `Documents of any of these forms: global or full IDs, or short IDs of forms that the gateway knows, such as \`invoice\`; at most ${bounds.filterEntries}. Other IDs are rejected.`,
    }),
    authors: t.idList({
      description: `Documents of any of these authors: global or system IDs of persons and service accounts, such as \`usr-ann\` or \`api-gateway\`; at most ${bounds.filterEntries}.`,
    }),
    tags: t.stringList({
      description: `Documents with all of these tags, at most ${bounds.filterEntries}. A tag cannot contain a comma.`,
    }),
  }),
});

export type FilterArgs = typeof FilterInput.$inferInput;

const ranges = { state: [0, 100], step: [0, 100], iteration: [0, 100], status: [1, 10] } as const;

/**
 * Validates a filter and translates its IDs. Null and empty values are omitted.
 * @param declared the forms that can be named by short IDs
 * @throws BAD_USER_INPUT for numbers out of range (REST spec, Limits), IDs of other types, and commas in tags
 */
export function filterOf(
  args: FilterArgs | null | undefined,
  declared: DeclaredForms | null,
): DocumentFilter {
  if (args == null) return {};
  const numbers: { -readonly [Name in keyof typeof ranges]?: number } = {};
  for (const name of Object.keys(ranges) as (keyof typeof ranges)[]) {
    const value = args[name];
    if (value == null) continue;
    const [from, to] = ranges[name];
    checkRange(`filter.${name}`, value, from, to);
    numbers[name] = value;
  }
  const forms = list('forms', args.forms, (id, at) => formId(id, at, declared));
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

/** Returns the full ID of a form. With another ID, the DMS could return an empty page instead of an error. */
function formId(id: string, at: string, forms: DeclaredForms | null): string {
  const own = dmsIdFrom('Form', id, at);
  if (isFullId(own)) return own;
  const declared = forms?.all.find(({ shortId }) => shortId === own);
  if (declared !== undefined) return declared.fullId;
  throw badInput(
    `\`${at}\` must be the global or full ID of a form, or the short ID of a declared form.`,
  );
}

/** The DMS separates list members with commas, so it would read an ID with a comma as two. */
function withoutComma(id: string, at: string): string {
  if (!id.includes(',')) return id;
  throw badInput(`\`${at}\` must be an ID without commas.`);
}

function authorId(id: string, at: string): string {
  const type = isServiceAccount(fromGlobalId(id)?.id ?? id) ? 'ServiceAccount' : 'Person';
  const what = 'a system ID that begins with `usr-` or `api-`';
  return withoutComma(dmsIdFrom(type, id, at, what), at);
}

/** Validates a tag. Tags are joined with commas in the request, so the DMS would read a tag with a comma as two. */
function tag(value: string, at: string): string {
  if (value !== '' && value.length <= 256 && !/[,\p{Cc}]/u.test(value)) return value;
  throw badInput(`\`${at}\` must have 1 to 256 characters without control characters and commas.`);
}
