import { useEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { useNavigate } from 'react-router';
import { useAnnounce } from '../../app/announcer.tsx';
import { ExplanationText } from '../../components/explanation.tsx';
import { Field } from '../../components/field.tsx';
import { useUnsavedGuard } from '../../components/unsaved-guard.tsx';
import { createActions } from '../../domain/workflow.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import type { CreateAction } from '../../gql/graphql.ts';
import {
  issueAt,
  MutationProblem,
  useIsNotFound,
  useIssues,
  type Problem,
} from '../actions/mutation-problem.tsx';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { FilePicker } from './file-picker.tsx';
import { checkTexts, toValues, useFieldDefinitions } from './form-fields.ts';
import {
  checkFiles,
  findUnreadable,
  type UploadFailure,
  type UploadLimits,
} from './upload-failure.ts';
import { UploadProgress } from './upload-progress.tsx';
import { useCreateDocument, type CreatedDocument } from './use-create-document.ts';
import { useObjectOptions } from './use-object-options.ts';
import { ValueControl } from './value-control.tsx';

const createFormFragment = graphql(`
  fragment CreateForm on Form {
    id
    fullId
    shortId
    title
    ...CreateFormFields
  }
`);

interface CreateFormProps {
  readonly forms: readonly FragmentType<typeof createFormFragment>[];
  /** Reads the forms again. */
  readonly onReloadForms: () => void;
}

interface Draft {
  /** Global ID of the form. Empty: not selected yet. */
  readonly formId: string;
  /** Texts by tag. Another form keeps those of the tags that it has, too. */
  readonly texts: ReadonlyMap<string, string>;
  /** Tags, separated by commas. */
  readonly tags: string;
  readonly action: CreateAction | '';
  readonly files: readonly File[];
}

const emptyDraft: Draft = { formId: '', texts: new Map(), tags: '', action: '', files: [] };

/** Why the last attempt failed. */
interface Attempt {
  readonly problem: Problem | null;
  readonly failure: UploadFailure | null;
  /** Issues that were found here, by tag, and at `files` and `form`. */
  readonly ownIssues: ReadonlyMap<string, string>;
  /** Tags of the values that were sent, in their order. An issue has the position of its value. */
  readonly sentTags: readonly string[];
}

const noAttempt: Attempt = { problem: null, failure: null, ownIssues: new Map(), sentTags: [] };

/** Inputs for a new document. A failure keeps what was entered, and says what is wrong beside the fields. */
export function CreateForm({ onReloadForms, ...props }: CreateFormProps) {
  const t = useText();
  const format = useFormat();
  const forms = useFragment(createFormFragment, props.forms);
  const [draft, setDraft] = useState(emptyDraft);
  const [attempt, setAttempt] = useState(noAttempt);
  const [limits, setLimits] = useState<UploadLimits>({});
  const { progress, create, cancel } = useCreateDocument();
  const form = useRef<HTMLFormElement>(null);
  const failureNotice = useRef<HTMLDivElement>(null);
  const announce = useAnnounce();
  const navigate = useNavigate();

  const { formId, texts, tags, action, files } = draft;
  const selected = forms.find(({ id }) => id === formId);
  const fields = useFieldDefinitions(selected);
  const options = useObjectOptions(fields);
  const issues = useIssues(attempt.problem);
  const isFormGone = useIsNotFound(attempt.problem);
  const isDirty = files.length > 0 || tags !== '' || [...texts.values()].some(Boolean);
  const guard = useUnsavedGuard(isDirty);
  const isSending = progress !== null;
  /** The second click of a double click arrives before the form is shown as being sent. */
  const isSubmitting = useRef(false);

  useEffect(() => {
    if (attempt.failure !== null) failureNotice.current?.focus();
    else if (attempt.ownIssues.size > 0) focusFirstInvalid(form.current);
  }, [attempt]);

  const change = (changed: Partial<Draft>): void => setDraft({ ...draft, ...changed });
  const finish = async ({ documentId, workflowError }: CreatedDocument): Promise<void> => {
    const done = t('The document {document} was created.', { document: documentId });
    const notice =
      workflowError === null
        ? done
        : `${done} ${t('The action failed: {reason}', { reason: workflowError })}`;
    announce(notice);
    guard.release();
    await navigate(`/app/documents/${encodeURIComponent(documentId)}`, { state: { notice } });
  };
  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (isSubmitting.current) return;
    isSubmitting.current = true;
    await send(event.currentTarget).finally(() => (isSubmitting.current = false));
  };
  const send = async (element: HTMLFormElement): Promise<void> => {
    const ownIssues = new Map<string, string>();
    for (const [tag, label] of checkTexts(fields, texts)) ownIssues.set(tag, t(label));
    for (const name of incompleteInputs(element)) {
      ownIssues.set(name, t('Complete this value, or clear it.'));
    }
    if (!selected) ownIssues.set('form', t('Select a form.'));
    const exceeded = checkFiles(files, limits, { t, format });
    if (exceeded !== null) ownIssues.set('files', exceeded);
    if (ownIssues.size > 0 || !selected) {
      setAttempt({ ...noAttempt, ownIssues });
      return;
    }
    const unreadable = await findUnreadable(files);
    if (unreadable.length > 0) {
      const names = unreadable.join(', ');
      const text = t('Cannot be read any more: {names}. Remove it, or select it again.', { names });
      setAttempt({ ...noAttempt, ownIssues: new Map([['files', text]]) });
      return;
    }
    setAttempt(noAttempt);
    announce(t('Sending the document.'));
    const values = toValues(fields, texts);
    const outcome = await create({
      form: selected.shortId ?? selected.fullId,
      values,
      tags: listOf(tags),
      files: [...files],
      ...(action !== '' && { action }),
    });
    if (outcome.kind === 'created') {
      await finish(outcome.created);
    } else if (outcome.kind === 'problem') {
      const sentTags = values.map(({ tag }) => tag);
      setAttempt({ ...noAttempt, problem: outcome.problem, sentTags });
    } else {
      setLimits({ ...limits, ...outcome.failure.limits });
      setAttempt({ ...noAttempt, failure: outcome.failure });
    }
  };
  const issueOf = (tag: string): ReactNode => {
    const index = attempt.sentTags.indexOf(tag);
    return (
      attempt.ownIssues.get(tag) ?? (index < 0 ? undefined : issueAt(issues, `values.${index}`))
    );
  };

  return (
    <form
      ref={form}
      className="stack create-form"
      noValidate
      aria-label={t('New document')}
      onSubmit={(event) => void submit(event)}
    >
      {guard.dialog}
      <fieldset className="card stack" disabled={isSending}>
        <Field
          label={t('Form')}
          isRequired
          issue={
            isFormGone
              ? t('This form does not exist any more. Select another one: your entries are kept.')
              : (attempt.ownIssues.get('form') ?? issueAt(issues, 'form'))
          }
        >
          {(attributes) => (
            <select
              {...attributes}
              value={selected ? formId : ''}
              onChange={(event) => {
                change({ formId: event.currentTarget.value });
                setAttempt(noAttempt);
              }}
            >
              <option value="">{t('Select a form')}</option>
              {forms.map(({ id, fullId, title }) => (
                <option key={id} value={id}>
                  {title ?? fullId}
                </option>
              ))}
            </select>
          )}
        </Field>
        {isFormGone && (
          <div>
            <button type="button" className="button" onClick={onReloadForms}>
              {t('Read the forms again')}
            </button>
          </div>
        )}
        <div className="create-fields">
          {fields.map((field) => (
            <ValueControl
              key={field.tag}
              field={field}
              text={texts.get(field.tag) ?? ''}
              onChange={(text) => change({ texts: new Map(texts).set(field.tag, text) })}
              issue={issueOf(field.tag)}
              options={options.get(field.type)}
            />
          ))}
          <Field label={t('Tags, separated by commas')} issue={issueAt(issues, 'tags')}>
            {(attributes) => (
              <input
                {...attributes}
                autoComplete="off"
                value={tags}
                onChange={(event) => change({ tags: event.currentTarget.value })}
              />
            )}
          </Field>
        </div>
        <FilePicker
          files={files}
          onChange={(changed) => change({ files: changed })}
          issue={attempt.ownIssues.get('files') ?? issueAt(issues, 'files')}
          isDisabled={isSending}
        />
        <Field label={t('After creation')} issue={issueAt(issues, 'action')}>
          {(attributes) => (
            <select
              {...attributes}
              value={action}
              onChange={(event) =>
                change({ action: event.currentTarget.value as CreateAction | '' })
              }
            >
              <option value="">{t('Keep as a draft')}</option>
              {Object.entries(createActions).map(([value, label]) => (
                <option key={value} value={value}>
                  {t(label)}
                </option>
              ))}
            </select>
          )}
        </Field>
      </fieldset>
      {attempt.failure !== null && (
        <div
          ref={failureNotice}
          tabIndex={-1}
          role="alert"
          className={`notice ${attempt.failure.isCancelled ? 'notice-warning' : 'notice-error'}`}
        >
          <ExplanationText {...attempt.failure} />
        </div>
      )}
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

/** Names of the inputs that have a text which is not a value, such as an incomplete date. Their value is empty. */
function incompleteInputs(form: HTMLFormElement): string[] {
  const inputs = [...form.querySelectorAll('input')];
  return inputs.filter(({ validity }) => validity.badInput).map(({ name }) => name);
}

function focusFirstInvalid(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

function listOf(text: string): string[] {
  const entries = text.split(',').map((entry) => entry.trim());
  return entries.filter((entry) => entry !== '');
}
