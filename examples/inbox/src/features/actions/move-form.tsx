import { useMutation } from '@apollo/client/react';
import { useState, type FormEvent } from 'react';
import { phaseActions } from '../../domain/workflow.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import type { PhaseAction } from '../../gql/graphql.ts';
import { Field } from '../../components/field.tsx';
import {
  issueAt,
  MutationProblem,
  useIssues,
  type MutationFailure,
  type Problem,
} from './mutation-problem.tsx';
import { useText } from '../../language/text.ts';

const moveFormFragment = graphql(`
  fragment MoveForm on Document {
    id
    shortId
    meta {
      revision
    }
  }
`);

const moveMutation = graphql(`
  mutation Move($input: MoveDocumentInput!) {
    moveDocument(input: $input) {
      __typename
      ... on MoveDocumentPayload {
        document {
          id
          ...ChangedDocument
        }
      }
      ...MutationProblem
    }
  }
`);

interface MoveFormProps {
  readonly document: FragmentType<typeof moveFormFragment>;
  /** What the document allows. */
  readonly actions: readonly PhaseAction[];
  readonly onReload: () => Promise<void>;
  readonly onConflict: (isShown: boolean) => void;
  readonly onCancel: () => void;
  /** @param isVisible whether the user can still see the document */
  readonly onDone: (message: string, isVisible: boolean) => void;
  readonly onFailed: (failure: MutationFailure) => void;
}

/** Moves a document to another phase, or changes its status. */
export function MoveForm({
  actions,
  onReload,
  onConflict,
  onCancel,
  onDone,
  onFailed,
  ...props
}: MoveFormProps) {
  const t = useText();
  const { id, shortId, meta } = useFragment(moveFormFragment, props.document);
  const [move, { loading, error }] = useMutation(moveMutation);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [action, setAction] = useState<PhaseAction | ''>('');
  const issues = useIssues(problem);

  const send = async (): Promise<void> => {
    if (action === '') return;
    setProblem(null);
    const { data, error: partialError } = await move({
      variables: { input: { document: id, action, expectedRevision: meta?.revision ?? null } },
    });
    const result = data?.moveDocument;
    if (result?.__typename === 'MoveDocumentPayload') {
      const document = shortId ?? t('Document');
      const message = t('{action}: {document}', { action: t(phaseActions[action]), document });
      // Null with an error: the document could not be read again.
      onDone(message, result.document !== null || partialError !== undefined);
    } else {
      if (result) setProblem(result);
      onFailed({ problem: result ?? null, error: partialError });
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void send().catch((failure: Error) => onFailed({ problem: null, error: failure }));
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
          {t('Delete the document for everyone. This cannot be undone.')}
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
          disabled={loading}
        >
          {loading ? t('Sending…') : t(action === '' ? 'Move' : phaseActions[action])}
        </button>
        <button type="button" className="button" onClick={onCancel} disabled={loading}>
          {t('Cancel')}
        </button>
      </div>
    </form>
  );
}
