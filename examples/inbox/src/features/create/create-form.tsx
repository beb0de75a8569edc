import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { ExplanationText } from '../../components/explanation.tsx';
import { useUnsavedGuard } from '../../components/unsaved-guard.tsx';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { visibleFileName } from '../../domain/file-name.ts';
import { useLocale } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { issueAt, MutationProblem, useIsNotFound } from '../actions/mutation-problem.tsx';
import { rewriteTexts } from '../fields/field-values.ts';
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
  const locale = useLocale();
  const [draft, setDraft] = useState(() => readDraft(personId, locale));
  const isDone = useRef(false);
  useEffect(() => storeDraft(personId, isDone.current ? null : draft), [personId, draft]);
  const change = (changed: Partial<Draft>): void => setDraft({ ...draft, ...changed });
  const discard = (): void => {
    isDone.current = true;
    storeDraft(personId, null);
  };
  const selected = forms.find(({ id }) => id === draft.formId);
  const fields = useFormFields(selected);
  if (draft.locale !== locale) {
    change({ locale, texts: rewriteTexts(fields, draft.texts, draft.locale, locale) });
  }
  const guard = useUnsavedGuard(hasEntries(draft), {
    isLostOnReload: draft.files.length > 0,
    keptText: t('Your entries are kept as a draft until you close this tab.'),
    lostText:
      draft.files.length > 0 &&
      t('The chosen files are not kept: {names}', {
        names: draft.files.map(({ name }) => visibleFileName(name)).join(', '),
      }),
    onDiscard: discard,
  });
  const openCreated = useOpenCreated();
  const { attempt, reset, progress, submit, cancel } = useSubmission({
    draft,
    form: selected ?? null,
    fields,
    onCreated: (created) => {
      guard.release();
      discard();
      return openCreated(created);
    },
  });
  const { failure } = attempt;
  const isFormGone = useIsNotFound(attempt.problem) || failure?.isFormGone === true;
  const form = useRef<HTMLFormElement>(null);
  const { ownIssues } = attempt;
  useEffect(() => {
    if (ownIssues.size > 0) focusFirstInvalid(form.current);
  }, [ownIssues]);
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
          issue={ownIssues.get('form') ?? issueAt(attempt.issues, 'form')}
          isGone={isFormGone}
          onReload={onReloadForms}
        />
        <DraftFields
          draft={draft}
          onChange={change}
          fields={fields}
          attempt={attempt}
          isDisabled={progress !== null}
        />
      </fieldset>
      {failure !== null && !isFormGone && <FailureNotice failure={failure} />}
      <MutationProblem
        problem={attempt.problem}
        error={undefined}
        shownPaths={['form', 'fields', 'values', 'tags', 'files', 'action']}
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
