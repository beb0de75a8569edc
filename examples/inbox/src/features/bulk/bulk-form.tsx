import type { SubmitEvent } from 'react';
import { Icon } from '../../../../ui/icon.tsx';
import { moverRole, phaseActions } from '../../domain/workflow.ts';
import type { PhaseAction } from '../../gql/graphql.ts';
import { useText } from '../../language/text.ts';
import type { AllowedForAll } from '../actions/use-allowed-for-all.ts';
import type { BulkAction } from './use-bulk-action.ts';
import type { BulkEntry } from './use-selection.ts';

interface BulkFormProps extends SelectionButtonsProps {
  readonly entry: BulkEntry;
  readonly onChange: (entry: BulkEntry) => void;
  readonly allowed: AllowedForAll;
  readonly onSubmit: (action: BulkAction) => void;
}

export function BulkForm(props: BulkFormProps) {
  const { entry, onChange, allowed, onSubmit, ...selection } = props;
  const isDecline = entry.choice === 'DECLINE';
  const t = useText();
  const response = allowed.responses.find(({ key }) => key === entry.choice);
  const move = allowed.moves.find((one) => `move ${one}` === entry.choice);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (response) onSubmit({ kind: 'respond', ...response, content: entry.content.trim() });
    else if (move) onSubmit({ kind: 'move', label: t(phaseActions[move]), action: move });
  };
  return (
    <form className="bulk-bar popup" aria-label={t('Selected documents')} onSubmit={submit}>
      <SelectionButtons {...selection} />
      <Choices
        allowed={allowed}
        chosen={response?.key ?? (move ? entry.choice : '')}
        onChange={(choice) => onChange({ ...entry, choice })}
      />
      {(response || move) && (
        <div className="bulk-send">
          {response && (
            <input
              key={entry.choice}
              ref={isDecline ? focusInput : undefined}
              aria-label={t(isDecline ? 'Why do you decline them?' : 'Comment')}
              placeholder={t(isDecline ? 'Why do you decline them?' : 'Comment')}
              required={isDecline}
              pattern={isDecline ? '.*\\S.*' : undefined}
              autoComplete="off"
              value={entry.content}
              onChange={(event) => onChange({ ...entry, content: event.currentTarget.value })}
            />
          )}
          {move === 'DELETE' && (
            <label className="choice">
              <input type="checkbox" required />
              {t('Delete for everyone. This cannot be undone.')}
            </label>
          )}
          <button
            type="submit"
            className={`button ${move === 'DELETE' ? 'button-danger' : 'button-primary'}`}
          >
            {t('Apply to {count}', { count: selection.count })}
          </button>
        </div>
      )}
    </form>
  );
}

/** A reason is required: what is typed next is no shortcut. */
function focusInput(input: HTMLInputElement | null): void {
  input?.focus();
}

interface SelectionButtonsProps {
  readonly count: string;
  /** The sum of their amounts, formatted. Empty: they have none. */
  readonly amounts: string;
  readonly totalCount: string;
  /** Undefined: all rows are selected. */
  readonly onSelectAll: (() => void) | undefined;
  readonly onClear: () => void;
}

function SelectionButtons(props: SelectionButtonsProps) {
  const { count, amounts, totalCount, onSelectAll, onClear } = props;
  const t = useText();
  return (
    <div className="row">
      <strong>{t('{count} selected', { count })}</strong>
      {amounts !== '' && <span className="amount">{amounts}</span>}
      {onSelectAll && (
        <button
          type="button"
          className="button button-quiet"
          onClick={({ currentTarget }) => {
            // The button disappears.
            currentTarget.parentElement?.querySelector<HTMLElement>('button:last-child')?.focus();
            onSelectAll();
          }}
        >
          {t('Select all {count}', { count: totalCount })}
        </button>
      )}
      <button
        type="button"
        className="button button-quiet button-icon"
        aria-label={t('Clear selection')}
        title={t('Clear selection')}
        onClick={onClear}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

interface ChoicesProps {
  readonly allowed: AllowedForAll;
  readonly chosen: string;
  readonly onChange: (choice: string) => void;
}

function Choices({ allowed, chosen, onChange }: ChoicesProps) {
  const t = useText();
  const { responses, moves, count, unawaited, immovable, isLoading } = allowed;
  if (isLoading) return <p className="muted">{t('Loading…')}</p>;
  return (
    <div className="row">
      {responses.map(({ key, label }) => (
        <button
          key={key}
          type="button"
          className="button bulk-response"
          aria-pressed={chosen === key}
          onClick={() => onChange(chosen === key ? '' : key)}
        >
          {label}
        </button>
      ))}
      {moves.length > 0 && (
        <select
          className="bulk-moves"
          aria-label={t('Action')}
          value={chosen.startsWith('move ') ? chosen : ''}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          <option value="">{t('Move…')}</option>
          {moves.map((action: PhaseAction) => (
            <option key={action} value={`move ${action}`}>
              {t(phaseActions[action])}
            </option>
          ))}
        </select>
      )}
      {unawaited > 0 && (
        <p className="muted small">
          {unawaited === count
            ? t('None of them awaits your response.')
            : t('No response: {count} of {total} do not await yours.', {
                count: unawaited,
                total: count,
              })}
        </p>
      )}
      {moves.length === 0 && immovable > 0 && (
        <p className="muted small">
          {t('Only authors and people with the role {role} can move them.', { role: moverRole })}
        </p>
      )}
      {moves.length === 0 && immovable === 0 && responses.length === 0 && (
        <p className="muted small">{t('No action is possible for all of them.')}</p>
      )}
    </div>
  );
}
