import type { ApolloLink } from '@apollo/client';

/** Types that the DMS returns one at a time: it has no call for several. It lists all forms in one. */
const types: ReadonlySet<unknown> = new Set([
  'Document',
  'DocumentResponse',
  'ListValue',
  'Organization',
  'OrgUnit',
  'Person',
  'RecognizedText',
]);

/** Fields that the reference to an object has. An object of which nothing else is shown costs no call. */
const referenceFields: ReadonlySet<string> = new Set(['__typename', 'id', 'systemId', 'fullId']);

/**
 * Returns how many REST calls a front end would send for a result: one for each list, and one for each object that is
 * shown and is not an item of a list.
 */
export function countCallsWithout(result: ApolloLink.Result): number {
  const parts = (result as { incremental?: readonly { data?: unknown }[] }).incremental ?? [];
  const later = parts.map(({ data }) => countFields(data, false));
  return later.reduce((sum, count) => sum + count, countRoot(result.data));
}

function countRoot(data: unknown): number {
  if (!isObject(data)) return 0;
  return Object.values(data).reduce<number>(
    (sum, value) => sum + (Array.isArray(value) ? 1 : 0) + count(value, Array.isArray(value)),
    0,
  );
}

/** @param isItem whether the value is an item of a list, which the call for the list returns */
function count(value: unknown, isItem: boolean): number {
  if (Array.isArray(value)) {
    return value.reduce<number>((sum, one) => sum + count(one, isItem), 0);
  }
  if (!isObject(value)) return 0;
  const type = value['__typename'];
  const isList = typeof type === 'string' && type.endsWith('Connection');
  const isReference = Object.keys(value).every((name) => referenceFields.has(name));
  const hasCall = isList || (types.has(type) && !isItem && !isReference);
  // The DMS lists only the IDs of the documents that refer to one, as a property of that document.
  if (type === 'DocumentReferenceConnection') return countFields(value, false);
  return (hasCall ? 1 : 0) + countFields(value, isList);
}

function countFields(value: unknown, isItem: boolean): number {
  if (!isObject(value)) return 0;
  return Object.values(value).reduce<number>((sum, field) => sum + count(field, isItem), 0);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
