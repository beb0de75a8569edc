import { useId, useState, type ComponentProps, type FormEvent } from 'react';
import { phases, statuses } from '../../domain/workflow.ts';
import { isFiltered, isSameFilter, type FilterState } from './filter-state.ts';
import { useForms } from './use-forms.ts';
import { useText } from '../../language/text.ts';
import './document-filters.css';

interface DocumentFiltersProps {
  readonly filter: FilterState;
  readonly onChange: (filter: FilterState) => void;
}

const noFilter: FilterState = {
  form: '',
  state: '',
  status: '',
  author: '',
  tags: '',
  step: '',
  iteration: '',
};

/** The filter of a view. Selections apply at once; texts apply when the user presses Enter or the button. */
export function DocumentFilters({ filter, onChange }: DocumentFiltersProps) {
  const t = useText();
  const forms = useForms();
  const [draft, setDraft] = useState(filter);
  const [applied, setApplied] = useState(filter);
  if (!isSameFilter(applied, filter)) {
    // A filter that comes from elsewhere, such as the Back button, replaces what is in the form.
    setApplied(filter);
    setDraft(filter);
  }
  const change = (changed: Partial<FilterState>): void => setDraft({ ...draft, ...changed });
  const apply = (changed: Partial<FilterState>): void => {
    change(changed);
    onChange({ ...draft, ...changed });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onChange(draft);
  };
  const { form, state, status, author, tags, step, iteration } = draft;
  const formOptions = forms.map(({ fullId, title }) => ({ value: fullId, label: title }));
  return (
    <search>
      <form className="document-filters card" aria-label={t('Filter')} onSubmit={submit}>
        {forms.length > 0 && (
          <Select
            label={t('Form')}
            value={form}
            options={formOptions}
            onSelect={(value) => apply({ form: value })}
          />
        )}
        <Select
          label={t('Phase')}
          value={state}
          options={phases.map(({ value, label }) => ({ value: `${value}`, label: t(label) }))}
          onSelect={(value) => apply({ state: value })}
        />
        <Select
          label={t('Status')}
          value={status}
          options={statuses.map(({ value, label }) => ({ value: `${value}`, label: t(label) }))}
          onSelect={(value) => apply({ status: value })}
        />
        <Input
          label={t('Tags')}
          placeholder={t('finance, urgent')}
          value={tags}
          onInput={(event) => change({ tags: event.currentTarget.value })}
        />
        <details className="document-filters-more" open={author + step + iteration !== ''}>
          <summary>{t('More conditions')}</summary>
          <div className="document-filters-fields">
            <Input
              label={t('Author ID')}
              placeholder="usr-ann"
              value={author}
              onInput={(event) => change({ author: event.currentTarget.value })}
            />
            <Input
              label={t('Step, 0 to 100')}
              type="number"
              min={0}
              max={100}
              value={step}
              onInput={(event) => change({ step: event.currentTarget.value })}
            />
            <Input
              label={t('Iteration, 0 to 100')}
              type="number"
              min={0}
              max={100}
              value={iteration}
              onInput={(event) => change({ iteration: event.currentTarget.value })}
            />
          </div>
        </details>
        <div className="row document-filters-buttons">
          <button type="submit" className="button">
            {t('Apply')}
          </button>
          {isFiltered(filter) && (
            <button
              type="button"
              className="button"
              onClick={({ currentTarget }) => {
                currentTarget.form?.querySelector('select')?.focus(); // the button disappears
                apply(noFilter);
              }}
            >
              {t('Clear filter')}
            </button>
          )}
        </div>
      </form>
    </search>
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onSelect: (value: string) => void;
}

function Select({ label, value, options, onSelect }: SelectProps) {
  const t = useText();
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onSelect(event.currentTarget.value)}>
        <option value="">{t('Any')}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}

function Input({ label, ...input }: ComponentProps<'input'> & { readonly label: string }) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} autoComplete="off" {...input} />
    </div>
  );
}
