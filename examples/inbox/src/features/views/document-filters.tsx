import type { SubmitEvent } from 'react';
import { phases, statuses, type WorkflowNumber } from '../../domain/workflow.ts';
import { useText } from '../../language/text.ts';
import { FilterInput, FilterSelect } from './filter-controls.tsx';
import { isFiltered, noFilter, type FilterState } from './filter-state.ts';
import { MoreConditions } from './more-conditions.tsx';
import { useFilterDraft } from './use-filter-draft.ts';
import { useForms } from './use-forms.ts';
import './document-filters.css';

interface DocumentFiltersProps {
  readonly filter: FilterState;
  readonly onChange: (filter: FilterState) => void;
}

/** The filter of a view. Selections apply at once; texts apply when the user presses Enter or the button. */
export function DocumentFilters({ filter, onChange }: DocumentFiltersProps) {
  const t = useText();
  const { forms, isLoading } = useForms();
  const { draft, change, apply } = useFilterDraft(filter, onChange);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    apply({});
  };
  const optionsOf = (numbers: readonly WorkflowNumber[]) =>
    numbers.map(({ value, label }) => ({ value: `${value}`, label: t(label) }));
  return (
    <search>
      <form className="document-filters card" aria-label={t('Filter')} onSubmit={submit}>
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
          placeholder={t('finance, urgent')}
          value={draft.tags}
          onChange={(tags) => change({ tags })}
        />
        <MoreConditions draft={draft} onChange={change} />
        <FilterButtons isFiltered={isFiltered(filter)} onClear={() => apply(noFilter)} />
      </form>
    </search>
  );
}

interface FilterButtonsProps {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

function FilterButtons({ isFiltered, onClear }: FilterButtonsProps) {
  const t = useText();
  return (
    <div className="row document-filters-buttons">
      <button type="submit" className="button">
        {t('Apply')}
      </button>
      {isFiltered && (
        <button
          type="button"
          className="button"
          onClick={({ currentTarget }) => {
            currentTarget.form?.querySelector('select')?.focus(); // the button disappears
            onClear();
          }}
        >
          {t('Clear filter')}
        </button>
      )}
    </div>
  );
}
