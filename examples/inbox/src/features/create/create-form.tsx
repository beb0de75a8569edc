import { Fragment, useEffect, useRef, useState, type SubmitEvent } from 'react';
import { useNavigate } from 'react-router';
import { useAnnounce } from '../../app/announcer.tsx';
import { ExplanationText, type Explanation } from '../../components/explanation.tsx';
import type { NavigationState } from '../../components/navigation-notice.tsx';
import { useFocusInvalid } from '../../components/use-focus-invalid.ts';
import { useUnsavedGuard } from '../../components/unsaved-guard.tsx';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { visibleFileName } from '../../domain/file-name.ts';
import { useLocale } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { issueAt, MutationProblem, useIsNotFound } from '../actions/mutation-problem.tsx';
import { rewriteTexts, useTagsField } from '../fields/field-values.ts';
import { useAmountFields } from '../fields/use-list-options.ts';
import { useValueControls } from '../fields/value-fields.tsx';
import { useFormFields } from '../forms/form-fields.ts';
import { useSessionState } from '../session/session-context.tsx';
import { FileViewer } from '../document/file-viewer.tsx';
import { hasEntries, readDraft, storeDraft, type Draft } from './draft.ts';
import { FilePicker } from './file-picker.tsx';
import { FormSelect } from './form-select.tsx';
import type { UploadFailure } from './upload-failure.ts';
import { UploadProgress } from './upload-progress.tsx';
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
  readonly onReloadForms: () => void;
}

const messageOf = (notice: Explanation) => <ExplanationText {...notice} />;

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
  const ownFields = [...useFormFields(selected), useTagsField()];
  const fields = useAmountFields(ownFields, draft.texts, true);
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
  const announce = useAnnounce();
  const navigate = useNavigate();
  const { attempt, reset, progress, submit, cancel } = useSubmission({
    draft,
    form: selected ?? null,
    fields,
    onCreated: async ({ documentId, workflowError }) => {
      guard.release();
      discard();
      const text = t('The document {document} was created.', { document: documentId });
      const notice: Explanation =
        workflowError === null
          ? { text }
          : { text: `${text} ${t('The action failed:')}`, detail: workflowError };
      announce(messageOf(notice));
      const state: NavigationState = { notice };
      await navigate(`/app/documents/${encodeURIComponent(documentId)}`, { state });
    },
  });
  const controlOf = useValueControls({
    fields,
    texts: draft.texts,
    onChange: (tag, text) => change({ texts: new Map(draft.texts).set(tag, text) }),
    attempt,
  });
  const { failure, ownIssues } = attempt;
  const isFormGone = useIsNotFound(attempt.problem) || failure?.isFormGone === true;
  useFocusInvalid(attempt.problem ?? ownIssues, ownIssues.size + attempt.issues.size > 0);
  const [shown, setShown] = useState(0);
  const { files } = draft;
  const file = files[shown] ?? files[0];
  const isSending = progress !== null;
  return (
    <form
      className="stack create-form"
      noValidate
      aria-label={t('New document')}
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault();
        // Enter in an input sends nothing on: the draft can be checked.
        const { submitter } = event.nativeEvent;
        if (submitter instanceof HTMLButtonElement)
          void submit(submitter.value === 'send' ? 'SEND_TO_APPROVAL' : null);
      }}
    >
      {guard.dialog}
      <div className="create-columns">
        <fieldset className="card stack-small create-fields" disabled={isSending}>
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
          {fields.map((field) => (
            <Fragment key={field.tag}>{controlOf(field)}</Fragment>
          ))}
        </fieldset>
        <fieldset className="card stack-small create-files" disabled={isSending}>
          <FilePicker
            files={files}
            lostFiles={draft.lostFiles}
            onChange={(changed) => {
              change({ files: changed, lostFiles: [] });
              setShown(Math.max(0, Math.min(shown, changed.length - 1)));
            }}
            shown={files.indexOf(file!)}
            onShow={setShown}
            issue={ownIssues.get('files') ?? issueAt(attempt.issues, 'files')}
            isDisabled={isSending}
          />
          {file && (
            <FileViewer key={`${files.indexOf(file)} ${file.name}`} name={file.name} file={file} />
          )}
        </fieldset>
      </div>
      {failure !== null && !isFormGone && <FailureNotice failure={failure} />}
      <MutationProblem
        problem={attempt.problem}
        error={undefined}
        shownPaths={['form', 'fields', 'values', 'tags', 'files']}
      />
      {progress === null ? (
        <div className="row create-buttons">
          <button type="submit" className="button button-primary" value="draft">
            {t('Create draft')}
          </button>
          <button type="submit" className="button" value="send">
            {t('Create and send')}
          </button>
        </div>
      ) : (
        <UploadProgress progress={progress} onCancel={cancel} />
      )}
    </form>
  );
}

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
