import type { RefObject } from 'react';
import { codesOf, interruptionOf } from '../../client/failure.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Loading } from '../../components/loading.tsx';
import { useText } from '../../language/text.ts';
import { BulkBar } from '../bulk/bulk-bar.tsx';
import { useSelection } from '../bulk/use-selection.ts';
import { DocumentTable } from './document-table.tsx';
import { isFiltered } from './filter-state.ts';
import { useListAnnouncement, useListSummary } from './list-summary.ts';
import { Pager } from './pager.tsx';
import { pageSize, useDocumentList, type ListPosition } from './use-document-list.ts';
import { useUpdatedIds } from './use-updated-ids.ts';

interface DocumentListProps extends ListPosition {
  /** Shows the first page of the view without a filter. */
  readonly onClearFilter: () => void;
  /** Contains the list. It receives the focus when what has it disappears. */
  readonly region: RefObject<HTMLElement | null>;
}

/** A page of a view. While the next page is loaded, the current one stays visible. */
export function DocumentList({ onClearFilter, region, ...position }: DocumentListProps) {
  const { view, filter, page } = position;
  const t = useText();
  const summarize = useListSummary();
  const { key, documents, isStale, isLoading, error, reload } = useDocumentList(position);
  const { nodes = [], totalCount = null, pageInfo } = documents ?? {};
  const selection = useSelection(key, isStale ? [] : nodes.map(({ id }) => id));
  const updatedIds = useUpdatedIds(key, position, reload);
  const label = t(view.label);
  const summary = summarize({ page, count: nodes.length, totalCount });
  useListAnnouncement(documents ? `${label}: ${summary}` : null, isLoading);
  const focusRegion = (): void => region.current?.focus({ preventScroll: true });

  if (!documents && error) {
    const isFilterRejected = isFiltered(filter) && codesOf(error).includes('BAD_USER_INPUT');
    return (
      <ErrorNotice
        title={t('The documents cannot be shown.')}
        error={error}
        {...(isFilterRejected
          ? { actionLabel: 'Clear filter', onAction: onClearFilter }
          : { onAction: () => void reload() })}
        onFocusLost={focusRegion}
      />
    );
  }
  if (!documents) return <Loading label={t('documents')} lines={8} />;
  return (
    <>
      {error && interruptionOf(error) === null && (
        <ErrorNotice title={t('Some of the data is missing.')} error={error} />
      )}
      <BulkBar
        key={key}
        documents={nodes}
        selection={selection}
        onClear={focusRegion}
        onReload={reload}
      />
      {nodes.length === 0 ? (
        <EmptyList {...position} />
      ) : (
        <>
          <DocumentTable
            caption={t('{view}, page {page}', { view: label, page })}
            page={documents}
            isStale={isStale}
            updatedIds={updatedIds}
            selection={selection}
          />
          <div className="view-summary">
            <p className="muted">{summary}</p>
            <Pager
              page={page}
              pageCount={totalCount === null ? null : Math.ceil(totalCount / pageSize)}
              hasNextPage={pageInfo?.hasNextPage === true}
            />
          </div>
        </>
      )}
    </>
  );
}

function EmptyList({ view, filter, page }: ListPosition) {
  const t = useText();
  const reason = isFiltered(filter) ? 'No document matches the filter.' : view.emptyText;
  return (
    <>
      <p className="card muted">{t(page > 1 ? 'The list ends before this page.' : reason)}</p>
      <Pager page={page} pageCount={null} hasNextPage={false} />
    </>
  );
}
