import { useMutation, useQuery } from '@apollo/client/react';
import { useState, type FormEvent } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Loading } from '../../components/loading.tsx';
import { useUnsavedGuard } from '../../components/unsaved-guard.tsx';
import { responseActions, responseActionsIn } from '../../domain/workflow.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import type { ResponseAction } from '../../gql/graphql.ts';
import { EditFields } from './edit-fields.tsx';
import { changedTags, changedValues, type Edits } from './edits.ts';
import { Field } from '../../components/field.tsx';
import { issueAt, MutationProblem, useIssues, type Problem } from './mutation-problem.tsx';
import { useText } from '../../language/text.ts';

const respondFormFragment = graphql(`
  fragment RespondForm on Document {
    id
    shortId
    state
    meta {
      revision
    }
    tags
    values {
      __typename
      tag
      ... on TextValue {
        text
      }
      ... on TableValue {
        columns
        rows
      }
    }
    ...EditFields
  }
`);

/** The DMS creates the response when it is read, so only this form reads it. */
const pendingResponseQuery = graphql(`
  query PendingResponse($id: ID!) {
    document(id: $id) {
      id
      response {
        id
        content
      }
    }
  }
`);

const respondMutation = graphql(`
  mutation Respond($input: RespondToDocumentInput!) {
    respondToDocument(input: $input) {
      __typename
      ... on RespondToDocumentPayload {
        document {
          id
          state
          status
          ...DocumentSummary
          ...DocumentValues
          ...DocumentActions
        }
      }
      ...MutationProblem
    }
  }
`);

interface RespondFormProps {
  readonly document: FragmentType<typeof respondFormFragment>;
  readonly onReload: () => Promise<void>;
  readonly onConflict: (isShown: boolean) => void;
  readonly onCancel: () => void;
  /** @param isVisible whether the user can still see the document */
  readonly onDone: (message: string, isVisible: boolean) => void;
  readonly onFailed: () => void;
}

/** The response of the user in the current phase. A failure keeps what was entered. */
export function RespondForm({
  onReload,
  onConflict,
  onCancel,
  onDone,
  onFailed,
  ...props
}: RespondFormProps) {
  const t = useText();
  const document = useFragment(respondFormFragment, props.document);
  const { id, shortId, state, meta } = document;
  const pending = useQuery(pendingResponseQuery, {
    variables: { id },
    fetchPolicy: 'network-only',
  });
  const [respond, { loading, error }] = useMutation(respondMutation);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [action, setAction] = useState<ResponseAction | null>(null);
  const [comment, setComment] = useState<string | null>(null);
  /** Fields whose values were sent, in their order. An issue has the position of its value. */
  const [sentTags, setSentTags] = useState<readonly string[]>([]);
  const [edits, setEdits] = useState<Edits>({ values: new Map(), tags: null });
  const issues = useIssues(problem);
  const guard = useUnsavedGuard(comment !== null || edits.tags !== null || edits.values.size > 0);

  if (pending.loading && !pending.data) return <Loading label={t('your response')} lines={3} />;
  const response = pending.data?.document?.response;
  if (!response) {
    return (
      <>
        {pending.error ? (
          <ErrorNotice title={t('Your response cannot be read.')} error={pending.error} />
        ) : (
          <p>{t('No response is expected from you in this phase.')}</p>
        )}
        <button type="button" className="button" onClick={onCancel}>
          {t('Close')}
        </button>
      </>
    );
  }
  const choices = responseActionsIn(state);
  const chosen = action !== null && choices.includes(action) ? action : choices[0]!;
  const withEdits = chosen === 'APPROVE_WITH_EDITS';
  const values = withEdits ? changedValues(document.values, edits) : [];
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setProblem(null);
    setSentTags(values.map(({ tag }) => tag));
    const { data } = await respond({
      variables: {
        input: {
          document: id,
          response: response.id,
          action: chosen,
          content: comment,
          expectedRevision: meta?.revision ?? null,
          ...(withEdits && { values, tags: changedTags(document.tags, edits) }),
        },
      },
    });
    const result = data?.respondToDocument;
    if (result?.__typename === 'RespondToDocumentPayload') {
      guard.release();
      const name = shortId ?? t('Document');
      const message = t('{action}: {document}', {
        action: t(responseActions[chosen]),
        document: name,
      });
      onDone(message, result.document !== null);
    } else {
      if (result) setProblem(result);
      onFailed();
    }
  };
  return (
    <form className="stack" onSubmit={(event) => void submit(event).catch(onFailed)}>
      {guard.dialog}
      <fieldset className="choices">
        <legend className="label">{t('Your response')}</legend>
        {choices.map((choice) => (
          <label key={choice} className="choice">
            <input
              type="radio"
              name="action"
              checked={choice === chosen}
              onChange={() => setAction(choice)}
            />
            {t(responseActions[choice])}
          </label>
        ))}
      </fieldset>
      {withEdits && (
        <EditFields
          document={document}
          edits={edits}
          onChange={setEdits}
          issues={issues}
          sentTags={sentTags}
        />
      )}
      <Field label={t('Comment')} issue={issueAt(issues, 'content')}>
        {(attributes) => (
          <textarea
            {...attributes}
            rows={3}
            value={comment ?? response.content ?? ''}
            onChange={(event) => setComment(event.currentTarget.value)}
          />
        )}
      </Field>
      <MutationProblem
        problem={problem}
        error={error}
        shownPaths={['content', ...(withEdits ? ['values', 'tags'] : [])]}
        shownRevision={meta?.revision ?? null}
        onReload={onReload}
        onConflict={onConflict}
      />
      <div className="row">
        <button type="submit" className="button button-primary" disabled={loading}>
          {t(loading ? 'Sending…' : responseActions[chosen])}
        </button>
        <button type="button" className="button" onClick={onCancel} disabled={loading}>
          {t('Cancel')}
        </button>
      </div>
    </form>
  );
}
