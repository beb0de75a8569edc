import { skipToken, useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { codesOf } from '../../client/failure.ts';
import { useLastData } from '../../components/use-last-data.ts';
import type { View } from '../../domain/view.ts';
import { graphql } from '../../gql/index.ts';
import type { DocumentListQuery } from '../../gql/graphql.ts';
import { organizationSearchQuery } from '../fields/object-field.tsx';
import { filterFromParams, searchOf, toDocumentFilter, type FilterState } from './filter-state.ts';
import { useLocale } from '../../language/format.ts';
import { orderFromParams, toDocumentOrder, type ListOrder } from './list-order.ts';

const documentListQuery = graphql(`
  query DocumentList(
    $view: DocumentView!
    $filter: DocumentFilter
    $search: String
    $orderBy: DocumentOrder
    $first: Int!
    $offset: Int!
  ) {
    documents(
      view: $view
      filter: $filter
      search: $search
      orderBy: $orderBy
      first: $first
      offset: $offset
    ) {
      totalCount
      nodes {
        id
        ...BulkDocument
        ...KnownDocument
      }
      pageInfo {
        hasNextPage
      }
      ...DocumentTable
    }
  }
`);

export const maxSorted = 500;
export const pageSize = 20;
const context = { queryDeduplication: true };

export interface ListPosition {
  readonly view: View;
  readonly filter: FilterState;
  readonly order: ListOrder;
  /** Number of the page, from 1. */
  readonly page: number;
}

export function positionFromParams(view: View, params: URLSearchParams): ListPosition {
  const page = params.get('page') ?? '1';
  return {
    view,
    filter: filterFromParams(params),
    order: orderFromParams(params),
    page: /^[1-9]\d{0,6}$/.test(page) ? Number(page) : 1,
  };
}

export type DocumentListState = ReturnType<typeof useDocumentList>;

export function useDocumentList({ view, filter, order, page }: ListPosition) {
  const { search, isLoading } = useSearch(filter.search);
  const { error, refetch, ...query } = useQuery(documentListQuery, {
    skip: isLoading,
    variables: {
      view: view.value,
      filter: toDocumentFilter(filter),
      search,
      orderBy: toDocumentOrder(order),
      first: pageSize,
      offset: (page - 1) * pageSize,
    },
    fetchPolicy: 'cache-and-network', // others change documents
    context,
  });
  const loading = query.loading || isLoading;
  const key = JSON.stringify([view.slug, filter, order, page]);
  const data = useLastData(key, { ...query, error, loading });
  const [last, setLast] = useState<{ key: string; view: View; data: DocumentListQuery } | null>(
    null,
  );
  if (data && (last?.data !== data || last.key !== key)) setLast({ key, view, data });
  const isRejected = codesOf(error).includes('BAD_USER_INPUT');
  const kept = (loading || isRejected) && last?.view === view ? last : null;
  return {
    key,
    /** Undefined: not loaded yet, or failed. */
    documents: (data ?? kept?.data)?.documents,
    shownKey: data ? key : (kept?.key ?? key),
    /** Whether the documents are those of an earlier page or filter of the view, because the current ones are loaded. */
    isStale: !data,
    isLoading: loading,
    error,
    reload: async (): Promise<void> => {
      // After a change, the result of a request that was sent before is not enough.
      context.queryDeduplication = false;
      const reading = refetch();
      context.queryDeduplication = true;
      await reading.catch(() => {});
    },
  };
}

function useSearch(text: string) {
  const words = searchOf(text, useLocale());
  const { data, loading } = useQuery(
    organizationSearchQuery,
    words === null ? skipToken : { variables: { search: words } },
  );
  // Without words, Apollo Client returns what was found for those before.
  const [organization, another] = (words !== null && data?.organizations.nodes) || [];
  const search = organization && !another ? organization.fullId : words;
  return { search, isLoading: loading };
}
