import { useId, type ReactNode } from 'react';
import { Icon } from '../../../../ui/icon.tsx';
import { moverRole, nextStepOf, phaseActions, responseActions } from '../../domain/workflow.ts';
import type { PhaseAction, ResponseAction } from '../../gql/graphql.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import type { AllowedActions } from './use-allowed-actions.ts';

export type FormName = ResponseAction | 'move';

interface ActionButtonsProps {
  readonly status: number | null;
  readonly allowed: AllowedActions;
  readonly isDisabled: boolean;
  readonly onRespond: (action: ResponseAction) => void;
  readonly onMove: (action: PhaseAction) => void;
  readonly onOpen: (form: FormName) => void;
  readonly changes: number;
  readonly onCancel: () => void;
}

export function ActionButtons(props: ActionButtonsProps) {
  const { status, allowed, isDisabled: disabled, onRespond, onMove, onOpen } = props;
  const { changes, onCancel } = props;
  const format = useFormat();
  const t = useText();
  const { responses, moves } = allowed;
  const hasMoves = moves.length > 0 && changes === 0; // a move would discard them
  const [usual] = responses;
  const { text, action } = nextStepOf(status);
  const next = action && moves.includes(action) ? action : null;
  const opens = (form: FormName, label: string) => (
    <button type="button" className="button" disabled={disabled} onClick={() => onOpen(form)}>
      {label}
    </button>
  );
  return (
    <>
      {!usual && (
        <p className="muted small">
          {t(text)}{' '}
          {moves.length === 0 &&
            t('Only its author and people with the role {role} can move it.', { role: moverRole })}
        </p>
      )}
      {usual && (
        <>
          <button
            type="button"
            className="button button-primary"
            disabled={disabled}
            onClick={() => onRespond(usual)}
          >
            {changes === 0
              ? t(responseActions[usual])
              : changes === 1
                ? t('Approve with 1 change')
                : t('Approve with {count} changes', { count: format.count(changes) })}
          </button>
          {changes === 0 && opens('DECLINE', t('Decline…'))}
        </>
      )}
      {changes > 0 && (
        <button type="button" className="button" onClick={onCancel}>
          {t('Cancel')}
        </button>
      )}
      {!usual && changes === 0 && next && (
        <button
          type="button"
          className="button button-primary"
          disabled={disabled}
          onClick={() => onMove(next)}
        >
          {t(phaseActions[next])}
        </button>
      )}
      {(usual || hasMoves) && (
        <MoreActions>
          {usual && opens(usual, t('With comment…'))}
          {hasMoves && opens('move', t('Move…'))}
        </MoreActions>
      )}
    </>
  );
}

function MoreActions({ children }: { readonly children: ReactNode }) {
  const t = useText();
  const id = useId();
  return (
    <>
      <button
        type="button"
        className="button button-icon more-actions-button"
        popoverTarget={id}
        aria-label={t('More actions')}
      >
        <Icon name="more" />
      </button>
      <div id={id} popover="auto" className="more-actions inline-popover">
        {children}
      </div>
    </>
  );
}
