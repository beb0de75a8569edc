import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { ExplanationText } from '../../components/explanation.tsx';
import { useUnsavedGuard } from '../../components/unsaved-guard.tsx';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useText } from '../../language/text.ts';
import {
  issueAt,
  MutationProblem,
  useIsNotFound,
  useIssues,
} from '../actions/mutation-problem.tsx';
import { useFormFields } from '../forms/form-fields.ts';
import { useSessionState } from '../session/session-context.tsx';
import { DraftFields } from './draft-fields.tsx';
import { hasEntries, readDraft, storeDraft, type Draft } from './draft.ts';
import { FormSelect } from './form-select.tsx';
import type { UploadFailure } from './upload-failure.ts';
import { UploadProgress } from './upload-progress.tsx';
import { useOpenCreated } from './use-open-created.tsx';
import { useSubmission } from './use-submission.ts';

const createFormFragment = graphql(`
  fragment CreateForm on Form {
    id
    fullId
    shortId
    titles {
      language
      text
    }
    ...FormFields
  }
`);

interface CreateFormProps {
  readonly forms: readonly FragmentType<typeof createFormFragment>[];
  /** Reads the forms again. */
  readonly onReloadForms: () => void;
}

/** Inputs for a new document. A failure keeps what was entered, and says what is wrong beside the fields. */
export function CreateForm({ onReloadForms, ...props }: CreateFormProps) {
  const t = useText();
  const forms = useFragment(createFormFragment, props.forms);
  const { personId } = useSessionState();
  const [draft, setDraft] = useState(() => readDraft(personId));
  useEffect(() => storeDraft(personId, draft), [personId, draft]);
  // Who leaves the page has been asked. A reload does not run this.
  useEffect(() => () => storeDraft(personId, null), [personId]);
  const change = (changed: Partial<Draft>): void => setDraft({ ...draft, ...changed });
  const selected = forms.find(({ id }) => id === draft.formId);
  const fields = useFormFields(selected);
  const guard = useUnsavedGuard(hasEntries(draft), draft.files.length > 0);
  const openCreated = useOpenCreated();
  const { attempt, reset, progress, submit, cancel } = useSubmission({
    draft,
    formId: selected ? (selected.shortId ?? selected.fullId) : null,
    fields,
    onCreated: (created) => {
      guard.release();
      return openCreated(created);
    },
  });
  const issues = useIssues(attempt.problem);
  const isFormGone = useIsNotFound(attempt.problem);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (attempt.ownIssues.size > 0) focusFirstInvalid(form.current);
  }, [attempt]);
  return (
    <form
      ref={form}
      className="stack create-form"
      noValidate
      aria-label={t('New document')}
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      {guard.dialog}
      <fieldset className="card stack" disabled={progress !== null}>
        <FormSelect
          forms={forms}
          selectedId={selected?.id ?? ''}
          onSelect={(formId) => {
            change({ formId });
            reset();
          }}
          issue={attempt.ownIssues.get('form') ?? issueAt(issues, 'form')}
          isGone={isFormGone}
          onReload={onReloadForms}
        />
        <DraftFields
          draft={draft}
          onChange={change}
          fields={fields}
          attempt={attempt}
          issues={issues}
          isDisabled={progress !== null}
        />
      </fieldset>
      {attempt.failure !== null && <FailureNotice failure={attempt.failure} />}
      <MutationProblem
        problem={attempt.problem}
        error={undefined}
        shownPaths={['form', 'values', 'tags', 'files', 'action']}
      />
      {progress === null ? (
        <div>
          <button type="submit" className="button button-primary">
            {t('Create document')}
          </button>
        </div>
      ) : (
        <UploadProgress progress={progress} onCancel={cancel} />
      )}
    </form>
  );
}

/** A button cannot be marked as invalid: the one that selects files is described by their issue. */
function focusFirstInvalid(form: HTMLFormElement | null): void {
  const invalid = '[aria-invalid="true"], button[aria-describedby]';
  form?.querySelector<HTMLElement>(invalid)?.focus();
}

/** Why the request failed. It receives the focus when it appears. */
function FailureNotice({ failure }: { readonly failure: UploadFailure }) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  return (
    <div
      ref={notice}
      tabIndex={-1}
      role="alert"
      className={`notice ${failure.isCancelled ? 'notice-warning' : 'notice-error'}`}
    >
      <ExplanationText {...failure} />
    </div>
  );
}
