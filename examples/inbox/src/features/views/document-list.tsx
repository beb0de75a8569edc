import { useQuery } from '@apollo/client/react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useAnnounce } from '../../app/announcer.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Loading } from '../../components/loading.tsx';
import type { View } from '../../domain/view.ts';
import { graphql } from '../../gql/index.ts';
import { BulkBar } from '../bulk/bulk-bar.tsx';
import { useSelection } from '../bulk/use-selection.ts';
import { DocumentTable } from './document-table.tsx';
import { isFiltered, toDocumentFilter, type FilterState } from './filter-state.ts';
import { Pager } from './pager.tsx';
import { codesOf, interruptionOf } from '../../client/failure.ts';
import { useLastData } from '../../components/use-last-data.ts';
import { mutationsInFlight } from '../../client/mutations-in-flight.ts';
import { useListChanges } from '../live/use-list-changes.ts';
import { useFormat, type Format } from '../../language/format.ts';
import { useText, type Translate } from '../../language/text.ts';

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
/** A list that is read after a change must not have the result of a request that was sent before. */
const freshContext = { queryDeduplication: false };
const none: ReadonlySet<string> = new Set();

/** Documents that have changed since a list was opened. */
interface Updated {
  /** Identifies the view, its filter and the page. */
  readonly list: string;
  readonly ids: ReadonlySet<string>;
}

interface DocumentListProps {
  readonly view: View;
  readonly filter: FilterState;
  /** Number of the page, from 1. */
  readonly page: number;
  /** Shows the first page of the view without a filter. */
  readonly onClearFilter: () => void;
  /** Contains the list. It receives the focus when what has it disappears. */
  readonly region: RefObject<HTMLElement | null>;
}

/** A page of a view. While the next page is loaded, the current one stays visible. */
export function DocumentList(props: DocumentListProps) {
  const { view, filter, page, onClearFilter, region } = props;
  const t = useText();
  const format = useFormat();
  const offset = (page - 1) * pageSize;
  const { previousData, error, loading, refetch, ...query } = useQuery(documentListQuery, {
    variables: { view: view.value, filter: toDocumentFilter(filter), first: pageSize, offset },
    fetchPolicy: 'cache-and-network', // others change documents
    context: freshContext,
  });
  const list = JSON.stringify([view.slug, filter, page]);
  const data = useLastData(list, { ...query, error, loading });
  const shown = (data ?? (loading ? previousData : undefined))?.documents;
  const selection = useSelection(list, data ? data.documents.nodes.map(({ id }) => id) : []);
  const announce = useAnnounce();
  const [updated, setUpdated] = useState<Updated>({ list: '', ids: new Set() });
  const updatedIds = updated.list === list ? updated.ids : none;
  useListChanges(
    { view: view.value, filter: toDocumentFilter(filter), first: offset + pageSize },
    (change) => {
      void refetch().catch(() => {}); // `error` has it
      if (mutationsInFlight.get() > 0) return; // the change of this user
      setUpdated({ list, ids: new Set([...updatedIds, ...change.updatedIds]) });
      announce(t('The list was updated.'));
    },
  );
  const focusRegion = (): void => region.current?.focus({ preventScroll: true });
  const label = t(view.label);
  const summary = shown && summarize(offset, shown.nodes.length, shown.totalCount, t, format);
  const message = summary === undefined ? null : `${label}: ${summary}`;
  const announced = useRef<string | null>(null);
  useEffect(() => {
    // A list that is read again after a live change has often the same summary.
    if (message === null || loading || announced.current === message) return;
    announced.current = message;
    announce(message);
  }, [announce, loading, message]);

  if (!shown && error) {
    const isFilterRejected = isFiltered(filter) && codesOf(error).includes('BAD_USER_INPUT');
    return (
      <ErrorNotice
        title={t('The documents cannot be shown.')}
        error={error}
        {...(isFilterRejected
          ? { actionLabel: 'Clear filter', onAction: onClearFilter }
          : { onAction: () => void refetch().catch(() => {}) })}
        onFocusLost={focusRegion}
      />
    );
  }
  if (!shown) return <Loading label={t('documents')} lines={8} />;
  const { nodes, totalCount, pageInfo } = shown;
  return (
    <>
      {error && interruptionOf(error) === null && (
        <ErrorNotice title={t('Some of the data is missing.')} error={error} />
      )}
      <BulkBar
        key={list}
        documents={nodes}
        selection={selection}
        onClear={focusRegion}
        onReload={() => refetch().catch(() => {})} // `error` has it
      />
      {nodes.length === 0 ? (
        <>
          <p className="card muted">
            {t(
              page > 1
                ? 'The list ends before this page.'
                : isFiltered(filter)
                  ? 'No document matches the filter.'
                  : view.emptyText,
            )}
          </p>
          <Pager page={page} pageCount={null} hasNextPage={false} />
        </>
      ) : (
        <>
          <DocumentTable
            caption={t('{view}, page {page}', { view: label, page })}
            page={shown}
            isStale={!data}
            updatedIds={updatedIds}
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

function summarize(
  offset: number,
  count: number,
  totalCount: number | null,
  t: Translate,
  format: Format,
): string {
  if (count === 0) return t('No documents');
  const range = { from: format.count(offset + 1), to: format.count(offset + count) };
  if (totalCount === null) return t('{from} to {to}', range);
  return t('{from} to {to} of {total} documents', { ...range, total: format.count(totalCount) });
}
