import { useState, type SubmitEvent } from 'react';
import { phaseActions } from '../../domain/workflow.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import type { PhaseAction } from '../../gql/graphql.ts';
import { Field } from '../../components/field.tsx';
import { issueAt, MutationProblem, useIssues } from './mutation-problem.tsx';
import type { ActionFormProps } from './respond-form.tsx';
import { sendMove } from './send-action.ts';
import { useSend } from './use-send.ts';
import { useText } from '../../language/text.ts';

const moveFormFragment = graphql(`
  fragment MoveForm on Document {
    id
    meta {
      revision
    }
  }
`);

interface MoveFormProps extends ActionFormProps {
  readonly document: FragmentType<typeof moveFormFragment>;
  /** What the document allows. */
  readonly actions: readonly PhaseAction[];
}

/** Moves a document to another phase, or changes its status. */
export function MoveForm(props: MoveFormProps) {
  const { actions, onReload, onConflict, onCancel, onEnd } = props;
  const t = useText();
  const { id, meta } = useFragment(moveFormFragment, props.document);
  const [action, setAction] = useState<PhaseAction | ''>('');
  const sending = useSend(sendMove, (outcome) =>
    onEnd(t(action === '' ? 'Move' : phaseActions[action]), outcome),
  );
  const { isSending, error, problem } = sending;
  const issues = useIssues(problem);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (action === '') return;
    sending.submit({ document: id, action, expectedRevision: meta?.revision ?? null });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <Field label={t('Action')} issue={issueAt(issues, 'action')}>
        {(attributes) => (
          <select
            {...attributes}
            required
            value={action}
            onChange={(event) => setAction(event.currentTarget.value as PhaseAction | '')}
          >
            <option value="">{t('Select an action')}</option>
            {actions.map((value) => (
              <option key={value} value={value}>
                {t(phaseActions[value])}
              </option>
            ))}
          </select>
        )}
      </Field>
      {action === 'DELETE' && (
        <label className="choice">
          <input type="checkbox" required />
          {t('Delete for everyone. This cannot be undone.')}
        </label>
      )}
      <MutationProblem
        problem={problem}
        error={error}
        shownPaths={['action']}
        shownRevision={meta?.revision ?? null}
        onReload={onReload}
        onConflict={onConflict}
      />
      <div className="row">
        <button
          type="submit"
          className={`button ${action === 'DELETE' ? 'button-danger' : 'button-primary'}`}
          disabled={isSending}
        >
          {isSending ? t('Sending…') : t(action === '' ? 'Move' : phaseActions[action])}
        </button>
        <button type="button" className="button" onClick={onCancel} disabled={isSending}>
          {t('Cancel')}
        </button>
      </div>
    </form>
  );
}
