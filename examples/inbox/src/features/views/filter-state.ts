import type { DocumentFilter } from '../../gql/graphql.ts';
import { listOf, readValue } from '../../language/reading.ts';

const filterNames = [
  'search',
  'form',
  'state',
  'status',
  'author',
  'tags',
  'step',
  'iteration',
] as const;

export type FilterState = Readonly<Record<(typeof filterNames)[number], string>>;

export const noFilter = filterFromParams(new URLSearchParams());

export function filterFromParams(params: URLSearchParams): FilterState {
  const entries = filterNames.map((name) => [name, params.get(name)?.trim() ?? '']);
  return Object.fromEntries(entries) as FilterState;
}

export function paramsOfFilter(filter: FilterState): URLSearchParams {
  return new URLSearchParams(
    filterNames.map((name) => [name, filter[name].trim()]).filter(([, value]) => value !== ''),
  );
}

export function isFiltered(filter: FilterState): boolean {
  return countConditions(filter) > 0;
}

export function countConditions(filter: FilterState): number {
  return filterNames.filter((name) => filter[name] !== '').length;
}

export function isSameFilter(one: FilterState, other: FilterState): boolean {
  return filterNames.every((name) => one[name].trim() === other[name].trim());
}

export function toDocumentFilter(filter: FilterState): DocumentFilter {
  return {
    forms: listOf(filter.form),
    authors: listOf(filter.author),
    tags: listOf(filter.tags),
    state: integer(filter.state),
    status: integer(filter.status),
    step: integer(filter.step),
    iteration: integer(filter.iteration),
  };
}

/** Returns the words as documents have them: amounts without separators. Null: there are none. */
export function searchOf(text: string, locale: string): string | null {
  const words = text.split(/\s+/).map((word) => {
    const isAmount = /\d[.,’']\d/.test(word);
    return (isAmount && readValue({ type: 'number' }, word, locale)) || word;
  });
  return words.join(' ').trim() || null;
}

function integer(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}
