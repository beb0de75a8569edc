import type { RefObject } from 'react';
import { Link } from 'react-router';
import { codesOf, interruptionOf } from '../../client/failure.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useText } from '../../language/text.ts';
import { BulkBar } from '../bulk/bulk-bar.tsx';
import { useSelection } from '../bulk/use-selection.ts';
import { DocumentTable, DocumentTableSkeleton } from './document-table.tsx';
import { isFiltered } from './filter-state.ts';
import { pageSize, type DocumentListState, type ListPosition } from './use-document-list.ts';
import { useListKeys } from './use-list-keys.ts';
import { useViewCounts } from './use-view-counts.ts';
import { useRowChanges } from './use-row-changes.ts';

interface DocumentListProps extends ListPosition {
  readonly list: DocumentListState;
  readonly onClearFilter: () => void;
  readonly region: RefObject<HTMLElement | null>;
}

export function DocumentList({ list, onClearFilter, region, ...position }: DocumentListProps) {
  const { view, filter, order, page } = position;
  const t = useText();
  const { key, shownKey, documents, isStale, error, reload } = list;
  const count = useViewCounts()(view);
  const nodes = documents?.nodes ?? [];
  const selection = useSelection(key, isStale ? [] : nodes.map(({ id }) => id));
  const shownIds = nodes.map(({ id }) => id);
  const changes = useRowChanges(key, position, shownIds, reload);
  const focusRegion = (): void => region.current?.focus({ preventScroll: true });
  useListKeys(region, selection.ids.size > 0 ? () => selection.selectOnly([]) : null);

  const isRejected =
    (isFiltered(filter) || order !== null) && codesOf(error).includes('BAD_USER_INPUT');
  const failure = error && (
    <ErrorNotice
      title={t('The documents cannot be shown.')}
      error={error}
      {...(isRejected
        ? {
            actionLabel: order === null ? 'Clear filter' : 'Show all of this view',
            onAction: onClearFilter,
          }
        : { onAction: () => void reload() })}
      onFocusLost={focusRegion}
    />
  );
  if (!documents && failure) return failure;
  if (!documents) {
    const isCounted = count !== null && !isFiltered(filter);
    const rest = isCounted ? count - (page - 1) * pageSize : pageSize;
    return <DocumentTableSkeleton rows={Math.min(Math.max(rest, 1), pageSize)} />;
  }
  return (
    <>
      {isStale
        ? failure
        : error &&
          interruptionOf(error) === null && (
            <ErrorNotice title={t('Some of the data is missing.')} error={error} />
          )}
      {nodes.length === 0 ? (
        <EmptyList {...position} onClearFilter={onClearFilter} />
      ) : (
        <DocumentTable
          caption={t('{view}, page {page}', { view: t(view.label), page })}
          page={documents}
          listKey={shownKey}
          isStale={isStale}
          changes={changes}
          selection={selection}
        />
      )}
      <BulkBar
        key={key}
        documents={nodes}
        selection={selection}
        isAwaited={view.value === 'INBOX' || null}
        onClear={focusRegion}
        onReload={reload}
      />
    </>
  );
}

interface EmptyListProps extends ListPosition {
  readonly onClearFilter: () => void;
}

function EmptyList({ view, filter, page, onClearFilter }: EmptyListProps) {
  const t = useText();
  if (page > 1) {
    return (
      <EmptyState icon={view.icon} text={t('The list ends before this page.')}>
        <Link className="button" to={`/app/views/${view.slug}`}>
          {t('Go to the first page')}
        </Link>
      </EmptyState>
    );
  }
  if (isFiltered(filter)) {
    return (
      <EmptyState icon="filter" text={t('No document matches the filter.')}>
        <button type="button" className="button" onClick={onClearFilter}>
          {t('Show all of this view')}
        </button>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={view.icon} text={t(view.emptyText)}>
      {view.slug === 'my-documents' ? (
        <Link className="button" to="/app/new">
          {t('Create the first one')}
        </Link>
      ) : (
        view.slug !== 'all' && (
          <Link className="button" to="/app/views/all">
            {t('Show all documents')}
          </Link>
        )
      )}
    </EmptyState>
  );
}
