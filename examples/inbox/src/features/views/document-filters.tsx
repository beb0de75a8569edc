import { useId } from 'react';
import { Icon } from '../../../../ui/icon.tsx';
import { phases, statuses, type WorkflowNumber } from '../../domain/workflow.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { DocumentSearch } from './document-search.tsx';
import { FilterInput, FilterSelect } from './filter-controls.tsx';
import { countConditions, noFilter, type FilterState } from './filter-state.ts';
import { MoreConditions } from './more-conditions.tsx';
import { SortChoice } from './sorting.tsx';
import { useFilterDraft } from './use-filter-draft.ts';
import { maxSorted } from './use-document-list.ts';
import { useForms } from './use-forms.ts';
import './document-filters.css';

interface DocumentFiltersProps {
  readonly filter: FilterState;
  readonly onChange: (filter: FilterState) => void;
  readonly totalCount: number | null;
}

export function DocumentFilters({ filter, onChange, totalCount }: DocumentFiltersProps) {
  const t = useText();
  const id = useId();
  const format = useFormat();
  const { forms, isLoading } = useForms();
  const { draft, change, apply } = useFilterDraft(filter, onChange);
  const count = countConditions(filter);
  const optionsOf = (numbers: readonly WorkflowNumber[]) =>
    numbers.map(({ value, label }) => ({ value: `${value}`, label: t(label) }));
  return (
    <search className="toolbar-container">
      <div className="toolbar">
        <DocumentSearch
          text={draft.search}
          onChange={(search) => change({ search })}
          onApply={(search) => apply({ search })}
        />
        <button type="button" className="button toolbar-filter-button" popoverTarget={id}>
          <Icon name="filter" />
          <span>{t('Filter')}</span>
          {count > 0 && <span className="badge badge-active">{count}</span>}
        </button>
        {(totalCount ?? 0) <= maxSorted && <SortChoice />}
        <form
          id={id}
          popover="auto"
          className="toolbar-filters inline-popover"
          aria-label={t('Filter')}
          onSubmit={(event) => {
            event.preventDefault();
            apply({});
          }}
        >
          <div className="sheet-head">
            <h2>{t('Filter')}</h2>
            <button
              type="button"
              className="button button-quiet button-icon"
              aria-label={t('Close')}
              popoverTarget={id}
              popoverTargetAction="hide"
            >
              <Icon name="close" />
            </button>
          </div>
          {(isLoading || forms.length > 0) && (
            <FilterSelect
              label={t('Form')}
              value={draft.form}
              options={forms.map(({ fullId, title }) => ({ value: fullId, label: title }))}
              disabled={isLoading}
              onSelect={(form) => apply({ form })}
            />
          )}
          <FilterSelect
            label={t('Phase')}
            value={draft.state}
            options={optionsOf(phases)}
            onSelect={(state) => apply({ state })}
          />
          <FilterSelect
            label={t('Status')}
            value={draft.status}
            options={optionsOf(statuses)}
            onSelect={(status) => apply({ status })}
          />
          <FilterInput
            label={t('Tags')}
            value={draft.tags}
            onChange={(tags) => change({ tags })}
            onClear={() => apply({ tags: '' })}
          />
          <MoreConditions draft={draft} onChange={change} onApply={apply} />
          <button
            type="button"
            className="button button-quiet clear-filter"
            disabled={count === 0}
            onClick={({ currentTarget }) => {
              currentTarget.form?.querySelector('select')?.focus(); // the button disappears
              apply(noFilter);
            }}
          >
            {t('Clear filter')}
          </button>
          <button
            type="button"
            className="button button-primary sheet-foot"
            popoverTarget={id}
            popoverTargetAction="hide"
          >
            {totalCount === null
              ? t('Show the documents')
              : t('Show {count} documents', { count: format.count(totalCount) })}
          </button>
        </form>
      </div>
    </search>
  );
}
