import { useRef, useState } from 'react';
import { useAnnounce } from '../../app/announcer.tsx';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import type { Problem } from '../actions/mutation-problem.tsx';
import type { FieldDefinition } from '../fields/field-definition.ts';
import { toInput, type Draft } from './draft.ts';
import { checkTexts } from './check-texts.ts';
import {
  checkFiles,
  findUnreadable,
  type Texts,
  type UploadFailure,
  type UploadLimits,
} from './upload-failure.ts';
import { useCreateDocument, type CreatedDocument, type Progress } from './use-create-document.ts';

/** Why the last attempt to create a document failed. */
export interface Attempt {
  readonly problem: Problem | null;
  readonly failure: UploadFailure | null;
  /** Issues that were found here, by tag, and at `files` and `form`. */
  readonly ownIssues: ReadonlyMap<string, string>;
  /** Tags of the values that were sent, in their order. An issue has the position of its value. */
  readonly sentTags: readonly string[];
}

const noAttempt: Attempt = { problem: null, failure: null, ownIssues: new Map(), sentTags: [] };

interface SubmissionOptions {
  readonly draft: Draft;
  /** ID of the form for the gateway. Null: not selected yet. */
  readonly formId: string | null;
  /** Fields of the form. */
  readonly fields: readonly FieldDefinition[];
  readonly onCreated: (created: CreatedDocument) => Promise<void>;
}

interface Submission {
  readonly attempt: Attempt;
  /** Forgets why the last attempt failed. */
  readonly reset: () => void;
  /** The request that runs. Null: none. */
  readonly progress: Progress | null;
  /** Checks the draft and sends it. Without effect while it is being sent. */
  readonly submit: (element: HTMLFormElement) => Promise<void>;
  /** Aborts the request that runs. */
  readonly cancel: () => void;
}

/** Creates a document from a draft, which is checked first. */
export function useSubmission(options: SubmissionOptions): Submission {
  const { draft, formId, fields, onCreated } = options;
  const t = useText();
  const format = useFormat();
  const announce = useAnnounce();
  const [attempt, setAttempt] = useState(noAttempt);
  const [limits, setLimits] = useState<UploadLimits>({});
  const { progress, create, cancel } = useCreateDocument();
  /** The second click of a double click arrives before the form is shown as being sent. */
  const isSubmitting = useRef(false);

  const send = async (form: string): Promise<void> => {
    setAttempt(noAttempt);
    announce(t('Sending the document.'));
    const input = toInput(draft, form, fields);
    const outcome = await create(input);
    if (outcome.kind === 'created') {
      await onCreated(outcome.created);
    } else if (outcome.kind === 'problem') {
      const sentTags = (input.values ?? []).map(({ tag }) => tag);
      setAttempt({ ...noAttempt, problem: outcome.problem, sentTags });
    } else {
      setLimits({ ...limits, ...outcome.failure.limits });
      setAttempt({ ...noAttempt, failure: outcome.failure });
    }
  };
  const checkAndSend = async (element: HTMLFormElement): Promise<void> => {
    const ownIssues = findIssues(element, options, limits, { t, format });
    const unreadable = ownIssues.size === 0 ? await findUnreadable(draft.files) : [];
    if (unreadable.length > 0) {
      const names = unreadable.join(', ');
      ownIssues.set(
        'files',
        t('Files that can no longer be read: {names}. Remove them, or select them again.', {
          names,
        }),
      );
    }
    if (ownIssues.size > 0 || formId === null) setAttempt({ ...noAttempt, ownIssues });
    else await send(formId);
  };
  const submit = async (element: HTMLFormElement): Promise<void> => {
    if (isSubmitting.current) return;
    isSubmitting.current = true;
    await checkAndSend(element).finally(() => (isSubmitting.current = false));
  };
  return { attempt, reset: () => setAttempt(noAttempt), progress, submit, cancel };
}

/** Returns what can be found without a request, as `ownIssues` of an attempt. */
function findIssues(
  element: HTMLFormElement,
  { draft, formId, fields }: SubmissionOptions,
  limits: UploadLimits,
  texts: Texts,
): Map<string, string> {
  const { t } = texts;
  const issues = new Map<string, string>();
  for (const [tag, label] of checkTexts(fields, draft.texts)) issues.set(tag, t(label));
  for (const name of incompleteInputs(element)) {
    issues.set(name, t('Complete this value, or clear it.'));
  }
  if (formId === null) issues.set('form', t('Select a form.'));
  const exceeded = checkFiles(draft.files, limits, texts);
  if (exceeded !== null) issues.set('files', exceeded);
  return issues;
}

/** Names of the inputs that have a text which is not a value, such as an incomplete date. Their value is empty. */
function incompleteInputs(form: HTMLFormElement): string[] {
  const inputs = [...form.querySelectorAll('input')];
  return inputs.filter(({ validity }) => validity.badInput).map(({ name }) => name);
}
