import {
  makeVar,
  type ApolloCache,
  type FieldFunctionOptions,
  type Reference,
} from '@apollo/client';
import type { DocumentFilter } from '../gql/graphql.ts';

/** Global IDs of the documents to which the user has responded, until the DMS has the response. */
export const leavingIds = makeVar<readonly string[]>([]);

interface DocumentsArguments {
  readonly view?: string;
  readonly filter?: DocumentFilter | null;
}

interface StoredDocuments {
  readonly totalCount?: number | null;
  readonly nodes?: readonly Reference[];
}

/**
 * Reads a list of documents from the cache: the inbox without what leaves it, so that every list and every number of the
 * page says the same.
 */
export function readDocuments(
  stored: StoredDocuments | undefined,
  { args, readField }: FieldFunctionOptions,
): StoredDocuments | undefined {
  return stored && withoutDocuments(stored, args ?? {}, leavingIds(), readField);
}

export function removeLeaving(ids: readonly string[]): void {
  leavingIds(leavingIds().filter((id) => !ids.includes(id)));
}

/** Stores that documents have left the inbox, instead of hiding them. */
export function settleLeaving(cache: ApolloCache, ids: readonly string[]): void {
  cache.batch({
    update() {
      cache.modify({
        fields: {
          documents(stored, { readField, storeFieldName }) {
            const args = storeFieldName.slice('documents('.length, -1);
            return withoutDocuments(stored as StoredDocuments, JSON.parse(args), ids, readField);
          },
        },
      });
      removeLeaving(ids);
    },
  });
}

function withoutDocuments(
  stored: StoredDocuments,
  { view, filter }: DocumentsArguments,
  ids: readonly string[],
  readField: FieldFunctionOptions['readField'],
): StoredDocuments {
  if (view !== 'INBOX' || ids.length === 0) return stored;
  const nodes = stored.nodes?.filter((node) => !ids.includes(readField<string>('id', node) ?? ''));
  const isFiltered = Object.values(filter ?? {}).some((one) => [one].flat().join('') !== '');
  const removed = isFiltered ? (stored.nodes?.length ?? 0) - (nodes?.length ?? 0) : ids.length;
  const { totalCount } = stored;
  return {
    ...stored,
    ...(nodes && { nodes }),
    ...(totalCount != null && { totalCount: Math.max(0, totalCount - removed) }),
  };
}
