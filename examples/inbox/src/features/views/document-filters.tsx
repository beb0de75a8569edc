import { useId } from 'react';
import { Icon } from '../../components/icon.tsx';
import { phases, statuses, type WorkflowNumber } from '../../domain/workflow.ts';
import { useText } from '../../language/text.ts';
import { DocumentSearch } from './document-search.tsx';
import { FilterInput, FilterSelect } from './filter-controls.tsx';
import { countConditions, noFilter, type FilterState } from './filter-state.ts';
import { MoreConditions } from './more-conditions.tsx';
import { useFilterDraft } from './use-filter-draft.ts';
import { useForms } from './use-forms.ts';
import './document-filters.css';

interface DocumentFiltersProps {
  readonly filter: FilterState;
  readonly onChange: (filter: FilterState) => void;
}

/**
 * The toolbar of a view: the search and the filter. Each condition applies when it is changed, and is removed by the
 * button inside of it. On a narrow screen, the conditions are behind a button.
 */
export function DocumentFilters({ filter, onChange }: DocumentFiltersProps) {
  const t = useText();
  const id = useId();
  const { forms, isLoading } = useForms();
  const { draft, change, apply } = useFilterDraft(filter, onChange);
  const count = countConditions(filter);
  const optionsOf = (numbers: readonly WorkflowNumber[]) =>
    numbers.map(({ value, label }) => ({ value: `${value}`, label: t(label) }));
  return (
    <search className="toolbar">
      <DocumentSearch />
      <button type="button" className="button toolbar-filter-button" popoverTarget={id}>
        <Icon name="filter" />
        {t('Filter')}
        {count > 0 && <span className="badge badge-active">{count}</span>}
      </button>
      <form
        id={id}
        popover="auto"
        className="toolbar-filters"
        aria-label={t('Filter')}
        onSubmit={(event) => {
          event.preventDefault();
          apply({});
        }}
      >
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
        {count > 0 && (
          <button
            type="button"
            className="button button-quiet"
            onClick={({ currentTarget }) => {
              currentTarget.form?.querySelector('select')?.focus(); // the button disappears
              apply(noFilter);
            }}
          >
            {t('Clear filter')}
          </button>
        )}
      </form>
    </search>
  );
}
