import { useUnsavedGuard } from '../../components/unsaved-guard.tsx';
import { currencyOf } from '../../domain/document.ts';
import { sumOf } from '../../domain/table-sums.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import type { DeclaredRowFragment } from '../../gql/graphql.ts';
import { useFormat } from '../../language/format.ts';
import { useAllowedForAll } from '../actions/use-allowed-for-all.ts';
import { formValuesFragment } from '../views/document-row.tsx';
import { BulkForm } from './bulk-form.tsx';
import { useBulkSubmission } from './use-bulk-submission.tsx';
import type { Selection } from './use-selection.ts';
import './bulk-bar.css';

const bulkDocumentFragment = graphql(`
  fragment BulkDocument on Document {
    id
    shortId
    fullId
    state
    status
    author {
      id
      systemId
    }
    extra(names: ["topic"])
    meta {
      revision
    }
    ...DeclaredRow
  }
`);

interface BulkBarProps {
  /** Whether each of the documents awaits the response of the user. Null: it must be looked up. */
  readonly isAwaited: true | null;
  readonly documents: readonly FragmentType<typeof bulkDocumentFragment>[];
  readonly selection: Selection;
  readonly onClear: () => void;
  readonly onReload: () => Promise<unknown>;
}

export function BulkBar({ selection, isAwaited, onClear, onReload, ...props }: BulkBarProps) {
  const format = useFormat();
  const documents = useFragment(bulkDocumentFragment, props.documents);
  const submit = useBulkSubmission(selection, onReload);
  const shownIds = documents.map(({ id }) => id);
  const selected = documents.filter(({ id }) => selection.ids.has(id));
  const amounts = sumsOf(useFragment(formValuesFragment, selected));
  const allowed = useAllowedForAll(selected, isAwaited);
  const guard = useUnsavedGuard(selected.length > 0 && selection.entry.content !== '', {
    onDiscard: () => selection.selectOnly([]),
  });
  if (selected.length === 0) return null;
  return (
    <div className="bulk stack-small">
      {guard.dialog}
      <BulkForm
        count={format.count(selected.length)}
        amounts={amounts.map(([currency, sum]) => format.number(sum, currency)).join(' + ')}
        totalCount={format.count(documents.length)}
        onSelectAll={
          selected.length < documents.length ? () => selection.selectOnly(shownIds) : undefined
        }
        onClear={() => {
          onClear();
          selection.selectOnly([]);
        }}
        entry={selection.entry}
        onChange={selection.enter}
        allowed={allowed}
        onSubmit={(action) => {
          onClear(); // the button disappears
          submit(selected, action);
        }}
      />
    </div>
  );
}

function sumsOf(documents: readonly DeclaredRowFragment[]): readonly [string | null, string][] {
  const amounts = new Map<string | null, string[]>();
  for (const { invoice } of documents) {
    if (!invoice?.total) continue;
    const currency = currencyOf(invoice.currency);
    amounts.set(currency, [...(amounts.get(currency) ?? []), invoice.total]);
  }
  return [...amounts].map(([currency, numbers]) => [currency, sumOf(numbers)]);
}
