import type { SubmitEvent } from 'react';
import { phaseActions, responseActions } from '../../domain/workflow.ts';
import { useText } from '../../language/text.ts';
import type { AllowedActions } from '../actions/use-allowed-actions.ts';
import { toBulkAction, type BulkEntry } from './bulk-entry.ts';
import { SelectionButtons, type SelectionButtonsProps } from './selection-buttons.tsx';
import type { BulkAction } from './use-bulk-action.ts';

interface BulkFormProps extends SelectionButtonsProps {
  readonly entry: BulkEntry;
  readonly onChange: (entry: BulkEntry) => void;
  /** What all selected documents allow. */
  readonly allowed: AllowedActions;
  readonly isRunning: boolean;
  readonly onSubmit: (action: BulkAction) => void;
}

/** The action to take on the selected documents. None is chosen at first. */
export function BulkForm(props: BulkFormProps) {
  const { entry, onChange, allowed, isRunning, onSubmit, ...selection } = props;
  const t = useText();
  const isAllowed = choicesOf(allowed).includes(entry.choice);
  const action = isAllowed ? toBulkAction(entry) : null;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (action) onSubmit(action);
  };
  return (
    <form className="bulk-bar" aria-label={t('Selected documents')} onSubmit={submit}>
      <SelectionButtons {...selection} />
      <ActionChoice
        value={isAllowed ? entry.choice : ''}
        onChange={(choice) => onChange({ ...entry, choice })}
        allowed={allowed}
      />
      {action?.kind === 'respond' && (
        <input
          className="bulk-comment"
          aria-label={t('Comment')}
          placeholder={t('Comment')}
          autoComplete="off"
          value={entry.content}
          onChange={(event) => onChange({ ...entry, content: event.currentTarget.value })}
        />
      )}
      {action?.action === 'DELETE' && (
        <label className="choice">
          <input type="checkbox" required />
          {t('Delete the documents for everyone. This cannot be undone.')}
        </label>
      )}
      {action && (
        <button
          type="submit"
          className={`button ${action.action === 'DELETE' ? 'button-danger' : 'button-primary'}`}
          disabled={isRunning}
        >
          {isRunning ? t('Sending…') : t('Apply to {count}', { count: selection.count })}
        </button>
      )}
    </form>
  );
}

function choicesOf({ responses, moves }: AllowedActions): readonly string[] {
  return [...responses.map((action) => `respond ${action}`), ...moves.map((one) => `move ${one}`)];
}

interface ActionChoiceProps {
  /** `choice` of an entry. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly allowed: AllowedActions;
}

/** A button for each response, and a menu of the moves. */
function ActionChoice({ value, onChange, allowed }: ActionChoiceProps) {
  const t = useText();
  const { responses, moves, isLoading } = allowed;
  if (responses.length + moves.length === 0) {
    return (
      <p className="muted">
        {t(isLoading ? 'Loading…' : 'No action is possible for all of them.')}
      </p>
    );
  }
  return (
    <div className="row">
      {responses.map((action) => (
        <button
          key={action}
          type="button"
          className="button bulk-response"
          aria-pressed={value === `respond ${action}`}
          onClick={() => onChange(value === `respond ${action}` ? '' : `respond ${action}`)}
        >
          {t(responseActions[action])}
        </button>
      ))}
      {moves.length > 0 && (
        <select
          className="bulk-moves"
          aria-label={t('Action')}
          value={value.startsWith('move') ? value : ''}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          <option value="">{t('Move…')}</option>
          {moves.map((action) => (
            <option key={action} value={`move ${action}`}>
              {t(phaseActions[action])}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
