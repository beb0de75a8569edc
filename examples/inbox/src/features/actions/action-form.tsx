import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  type SubmitEvent,
} from 'react';
import { Field } from '../../components/field.tsx';
import { phaseActions, responseActions } from '../../domain/workflow.ts';
import type { PhaseAction, ResponseAction } from '../../gql/graphql.ts';
import { useText, type Label } from '../../language/text.ts';
import { noAttempt } from '../fields/value-fields.tsx';
import type { DocumentUpdate } from '../live/use-document-updates.ts';
import { issueAt, MutationProblem, type Issues } from './mutation-problem.tsx';
import { OutdatedNotice } from './outdated-notice.tsx';
import type { ReviewState } from './use-review.ts';

interface ActionPanelProps {
  readonly review: ReviewState;
  readonly issues: Issues;
  readonly moves: readonly PhaseAction[];
  readonly responses: readonly ResponseAction[];
  readonly revision: number | null;
  readonly update: DocumentUpdate | null;
  readonly onReload: () => Promise<void>;
  readonly onRespond: (action: ResponseAction) => void;
  readonly onMove: (action: PhaseAction) => void;
  readonly onFocusLost: () => void;
}

export function ActionPanel(props: ActionPanelProps) {
  const { review, issues, moves, responses, revision, update, onReload, onRespond } = props;
  const { onMove, onFocusLost } = props;
  const { form, comment, changed, attempt, failure, set } = review;
  const isOutdated = failure === null && (update === 'pending' || update === 'gone');
  if (failure === null && !isOutdated && form === null) return null;
  const cancel = (): void => {
    set(changed.size > 0 ? { form: null, comment: '', failure: null } : null);
    onFocusLost();
  };
  return (
    <div className="card stack-small action-panel">
      {failure && (
        <MutationProblem
          {...failure}
          shownPaths={['content', 'fields', 'values', 'tags']}
          shownRevision={revision}
          hasEntries={review.hasEntries && responses.length > 0}
          onReload={onReload}
        />
      )}
      {isOutdated && (
        <OutdatedNotice update={update} onReload={onReload} onFocusLost={onFocusLost} />
      )}
      {form === 'move' && <MoveForm actions={moves} onSubmit={onMove} onCancel={cancel} />}
      {form !== null && form !== 'move' && (
        <CommentForm
          action={form === 'APPROVE' && changed.size > 0 ? 'APPROVE_WITH_EDITS' : form}
          comment={comment}
          onChange={(text) => set({ comment: text, attempt: noAttempt })}
          issue={attempt.ownIssues.get('content') ?? issueAt(issues, 'content')}
          onSubmit={responses.includes(form) ? () => onRespond(form) : null}
          onCancel={cancel}
        />
      )}
    </div>
  );
}

interface CommentFormProps {
  readonly action: ResponseAction;
  readonly comment: string;
  readonly onChange: (comment: string) => void;
  readonly issue: ReactNode;
  readonly onSubmit: (() => void) | null;
  readonly onCancel: () => void;
}

function CommentForm(props: CommentFormProps) {
  const { action, comment, onChange, issue, onSubmit, onCancel } = props;
  const t = useText();
  const input = useRef<HTMLTextAreaElement>(null);
  // Before the notice of a failure, which keeps the focus.
  useLayoutEffect(() => {
    const area = input.current!;
    area.focus();
    area.setSelectionRange(area.value.length, area.value.length);
  }, []);
  return (
    <ActionForm label={responseActions[action]} onSubmit={onSubmit} onCancel={onCancel}>
      <Field
        label={t(action === 'DECLINE' ? 'Why do you decline it?' : 'Comment')}
        isRequired={action === 'DECLINE'}
        issue={issue}
      >
        {(attributes) => (
          <textarea
            {...attributes}
            ref={input}
            rows={2}
            value={comment}
            onChange={(event) => onChange(event.currentTarget.value)}
            onKeyDown={({ key, ctrlKey, metaKey, repeat, currentTarget }) => {
              if (key === 'Enter' && (ctrlKey || metaKey) && !repeat)
                currentTarget.form?.requestSubmit();
            }}
          />
        )}
      </Field>
    </ActionForm>
  );
}

interface MoveFormProps {
  readonly actions: readonly PhaseAction[];
  readonly onSubmit: (action: PhaseAction) => void;
  readonly onCancel: () => void;
}

function MoveForm({ actions, onSubmit, onCancel }: MoveFormProps) {
  const t = useText();
  const [action, setAction] = useState<PhaseAction | ''>('');
  const select = useRef<HTMLSelectElement>(null);
  useEffect(() => select.current?.focus(), []);
  return (
    <ActionForm
      label={action === '' ? 'Move' : phaseActions[action]}
      isDanger={action === 'DELETE'}
      onSubmit={() => action !== '' && onSubmit(action)}
      onCancel={onCancel}
    >
      <Field label={t('Action')}>
        {(attributes) => (
          <select
            {...attributes}
            ref={select}
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
    </ActionForm>
  );
}

interface ActionFormProps {
  readonly label: Label;
  readonly isDanger?: boolean;
  /** Null: somebody else has responded. */
  readonly onSubmit: (() => void) | null;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

function ActionForm({ label, isDanger = false, onSubmit, onCancel, children }: ActionFormProps) {
  const t = useText();
  return (
    <form
      className="stack-small"
      aria-label={t(label)}
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault();
        onSubmit?.();
      }}
    >
      {children}
      <div className="row">
        {onSubmit ? (
          <button
            type="submit"
            className={`button ${isDanger ? 'button-danger' : 'button-primary'}`}
          >
            {t(label)}
          </button>
        ) : (
          <p className="muted small">{t('No response is expected from you.')}</p>
        )}
        <button type="button" className="button" onClick={onCancel}>
          {t('Cancel')}
        </button>
      </div>
    </form>
  );
}
