import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { Field } from '../../components/field.tsx';
import { useUnsavedGuard } from '../../components/unsaved-guard.tsx';
import { responseActions, responseActionsIn } from '../../domain/workflow.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import type { ResponseAction } from '../../gql/graphql.ts';
import { useText } from '../../language/text.ts';
import { useLocale } from '../../language/format.ts';
import { toFieldInputs, useCheckTexts, type Texts } from '../fields/field-values.ts';
import { noAttempt } from '../fields/value-fields.tsx';
import { useFieldOf, useFormId } from '../forms/form-fields.ts';
import { EditFields } from './edit-fields.tsx';
import { changedTags, changedTexts, textsOf, useEdits } from './edits.ts';
import { issueAt, MutationProblem, useIssues } from './mutation-problem.tsx';
import { sendResponse, type ActionOutcome } from './send-action.ts';
import { useSend } from './use-send.ts';

const respondFormFragment = graphql(`
  fragment RespondForm on Document {
    id
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
    ...DeclaredForm
  }
`);

/** What a form reports. */
export interface ActionFormProps {
  readonly onReload: () => Promise<void>;
  readonly onConflict: (isShown: boolean) => void;
  readonly onCancel: () => void;
  /** @param label what was done */
  readonly onEnd: (label: string, outcome: ActionOutcome) => void;
}

/** A document with the response that is expected from the user. */
export interface RespondFormProps extends ActionFormProps {
  readonly document: FragmentType<typeof respondFormFragment>;
  /** The response that is expected from the user. */
  readonly response: { readonly id: string; readonly content: string | null };
  /** The action that is chosen at first. */
  readonly initialAction: ResponseAction;
}

/** The response of the user in the current phase. A failure keeps what was entered. */
export function RespondForm(props: RespondFormProps) {
  const { response, initialAction, onReload, onConflict, onCancel, onEnd } = props;
  const t = useText();
  const commentInput = useRef<HTMLTextAreaElement>(null);
  useEffect(() => commentInput.current?.focus(), []);
  const document = useFragment(respondFormFragment, props.document);
  const { id, state, meta } = document;
  const [action, setAction] = useState(initialAction);
  const [comment, setComment] = useState<string | null>(null);
  const locale = useLocale();
  const checkTexts = useCheckTexts();
  const fieldOf = useFieldOf(document);
  const formId = useFormId(document);
  const fields = document.values.map(({ __typename, tag }) => {
    const field = fieldOf(tag);
    const type = __typename === 'TableValue' ? 'table' : field.type;
    return { ...field, type, isRequired: false };
  });
  const before = textsOf(fields, document.values, locale);
  const { edits, setEdits } = useEdits(fields);
  const [attempt, setAttempt] = useState(noAttempt);
  const guard = useUnsavedGuard(comment !== null || edits.tags !== null || edits.texts.size > 0);
  const choices = responseActionsIn(state);
  const chosen = choices.includes(action) ? action : choices[0]!;
  const withEdits = chosen === 'APPROVE_WITH_EDITS';
  const sending = useSend(sendResponse, (outcome) => {
    if (!outcome.failure) guard.release();
    onEnd(t(responseActions[chosen]), outcome);
  });
  const { isSending, error, problem } = sending;
  const issues = useIssues(problem);

  const editsInput = (texts: Texts) => {
    const { paths, ...inputs } = toFieldInputs(formId, fields, texts, locale);
    setAttempt({ ...noAttempt, texts: new Map([...before, ...texts]), paths });
    return { ...inputs, tags: changedTags(document.tags, edits) };
  };
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const texts = changedTexts(before, edits);
    const ownIssues = checkTexts(withEdits ? fields : [], texts);
    if (ownIssues.size > 0) {
      setAttempt({ ...noAttempt, ownIssues });
      return;
    }
    sending.submit({
      document: id,
      response: response.id,
      action: chosen,
      content: comment,
      expectedRevision: meta?.revision ?? null,
      ...(withEdits && editsInput(texts)),
    });
  };
  return (
    <form className="stack" onSubmit={submit}>
      {guard.dialog}
      <ActionChoice choices={choices} chosen={chosen} onChange={setAction} />
      {withEdits && (
        <EditFields
          fields={fields}
          before={before}
          tags={document.tags}
          edits={edits}
          onChange={setEdits}
          attempt={{ ...attempt, issues }}
        />
      )}
      <Field label={t('Comment')} issue={issueAt(issues, 'content')}>
        {(attributes) => (
          <textarea
            {...attributes}
            ref={commentInput}
            rows={3}
            value={comment ?? response.content ?? ''}
            onChange={(event) => setComment(event.currentTarget.value)}
          />
        )}
      </Field>
      <MutationProblem
        problem={problem}
        error={error}
        shownPaths={['content', ...(withEdits ? ['fields', 'values', 'tags'] : [])]}
        shownRevision={meta?.revision ?? null}
        onReload={onReload}
        onConflict={onConflict}
      />
      <div className="row">
        <button type="submit" className="button button-primary" disabled={isSending}>
          {t(isSending ? 'Sending…' : responseActions[chosen])}
        </button>
        <button type="button" className="button" onClick={onCancel} disabled={isSending}>
          {t('Cancel')}
        </button>
      </div>
    </form>
  );
}

interface ActionChoiceProps {
  readonly choices: readonly ResponseAction[];
  readonly chosen: ResponseAction;
  readonly onChange: (action: ResponseAction) => void;
}

function ActionChoice({ choices, chosen, onChange }: ActionChoiceProps) {
  const t = useText();
  return (
    <fieldset className="choices">
      <legend className="label">{t('Your response')}</legend>
      {choices.map((choice) => (
        <label key={choice} className="choice">
          <input
            type="radio"
            name="action"
            checked={choice === chosen}
            onChange={() => onChange(choice)}
          />
          {t(responseActions[choice])}
        </label>
      ))}
    </fieldset>
  );
}
