import type { SubmitEvent } from 'react';
import { Field } from '../../components/field.tsx';
import { phaseActions, responseActions } from '../../domain/workflow.ts';
import { useText } from '../../language/text.ts';
import { toBulkAction, type BulkEntry } from './bulk-entry.ts';
import { SelectionButtons, type SelectionButtonsProps } from './selection-buttons.tsx';

interface BulkFormProps extends SelectionButtonsProps {
  readonly entry: BulkEntry;
  readonly onChange: (entry: BulkEntry) => void;
  readonly isRunning: boolean;
  readonly onSubmit: () => void;
}

/** The action to take on the selected documents. */
export function BulkForm({ entry, onChange, isRunning, onSubmit, ...selection }: BulkFormProps) {
  const t = useText();
  const { kind, action } = toBulkAction(entry);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form className="card bulk-bar" aria-label={t('Selected documents')} onSubmit={submit}>
      <SelectionButtons {...selection} />
      <ActionSelect value={entry.choice} onChange={(choice) => onChange({ ...entry, choice })} />
      {kind === 'respond' && (
        <Field label={t('Comment')}>
          {(attributes) => (
            <input
              {...attributes}
              autoComplete="off"
              value={entry.content}
              onChange={(event) => onChange({ ...entry, content: event.currentTarget.value })}
            />
          )}
        </Field>
      )}
      {action === 'DELETE' && (
        <label className="choice">
          <input type="checkbox" required />
          {t('Delete the documents for everyone. This cannot be undone.')}
        </label>
      )}
      <button
        type="submit"
        className={`button ${action === 'DELETE' ? 'button-danger' : 'button-primary'}`}
        disabled={isRunning}
      >
        {isRunning ? t('Sending…') : t('Apply to {count}', { count: selection.count })}
      </button>
    </form>
  );
}

// A response with changes needs the values of each document.
const responses = Object.entries(responseActions).filter(
  ([action]) => action !== 'APPROVE_WITH_EDITS',
);

interface ActionSelectProps {
  /** `choice` of an entry. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function ActionSelect({ value, onChange }: ActionSelectProps) {
  const t = useText();
  return (
    <Field label={t('Action')}>
      {(attributes) => (
        <select
          {...attributes}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          <optgroup label={t('Respond')}>
            {responses.map(([action, label]) => (
              <option key={action} value={`respond ${action}`}>
                {t(label)}
              </option>
            ))}
          </optgroup>
          <optgroup label={t('Move')}>
            {Object.entries(phaseActions).map(([action, label]) => (
              <option key={action} value={`move ${action}`}>
                {t(label)}
              </option>
            ))}
          </optgroup>
        </select>
      )}
    </Field>
  );
}
