import { useQuery } from '@apollo/client/react';
import { useEffect } from 'react';
import { useAnnounce } from '../../app/announcer.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Loading } from '../../components/loading.tsx';
import { formatCount } from '../../domain/format.ts';
import type { View } from '../../domain/view.ts';
import { graphql } from '../../gql/index.ts';
import { BulkBar } from '../bulk/bulk-bar.tsx';
import { useSelection } from '../bulk/use-selection.ts';
import { DocumentTable } from './document-table.tsx';
import { isFiltered, toDocumentFilter, type FilterState } from './filter-state.ts';
import { Pager } from './pager.tsx';

const documentListQuery = graphql(`
  query DocumentList($view: DocumentView!, $filter: DocumentFilter, $first: Int!, $offset: Int!) {
    documents(view: $view, filter: $filter, first: $first, offset: $offset) {
      totalCount
      nodes {
        id
        ...BulkDocument
      }
      pageInfo {
        hasNextPage
      }
      ...DocumentTable
    }
  }
`);

const pageSize = 15;

interface DocumentListProps {
  readonly view: View;
  readonly filter: FilterState;
  /** Number of the page, from 1. */
  readonly page: number;
}

/** A page of a view. While the next page is loaded, the current one stays visible. */
export function DocumentList({ view, filter, page }: DocumentListProps) {
  const offset = (page - 1) * pageSize;
  const { data, previousData, error, loading, refetch } = useQuery(documentListQuery, {
    variables: { view: view.value, filter: toDocumentFilter(filter), first: pageSize, offset },
    fetchPolicy: 'cache-and-network', // others change documents
  });
  const shown = (data ?? (loading ? previousData : undefined))?.documents;
  const list = JSON.stringify([view.slug, filter, page]);
  const selection = useSelection(list, data ? data.documents.nodes.map(({ id }) => id) : []);
  const announce = useAnnounce();
  const summary = shown && summarize(offset, shown.nodes.length, shown.totalCount);
  useEffect(() => {
    if (summary !== undefined && !loading) announce(`${view.label}: ${summary}`);
  }, [announce, loading, summary, view.label]);

  if (!shown && error) {
    return (
      <ErrorNotice
        title="The documents cannot be shown."
        error={error}
        onRetry={() => void refetch().catch(() => {})}
      />
    );
  }
  if (!shown) return <Loading label="documents" lines={8} />;
  const { nodes, totalCount, pageInfo } = shown;
  return (
    <>
      {error && <ErrorNotice title="Some of the data is missing." error={error} />}
      <BulkBar
        key={list}
        documents={nodes}
        selection={selection}
        onReload={() => refetch().catch(() => {})} // `error` has it
      />
      {nodes.length === 0 ? (
        <p className="card muted">
          {isFiltered(filter)
            ? 'No document matches the filter.'
            : page > 1
              ? 'The list ends before this page.'
              : view.emptyText}
        </p>
      ) : (
        <>
          <DocumentTable
            caption={`${view.label}, page ${page}`}
            page={shown}
            isStale={!data}
            selection={selection}
          />
          <div className="view-summary">
            <p className="muted">{summary}</p>
            <Pager
              page={page}
              pageCount={totalCount === null ? null : Math.ceil(totalCount / pageSize)}
              hasNextPage={pageInfo.hasNextPage}
            />
          </div>
        </>
      )}
    </>
  );
}

function summarize(offset: number, count: number, totalCount: number | null): string {
  if (count === 0) return 'No documents';
  const range = `${formatCount(offset + 1)} to ${formatCount(offset + count)}`;
  return totalCount === null ? range : `${range} of ${formatCount(totalCount)} documents`;
}
