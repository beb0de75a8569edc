import { useRef, useState } from 'react';
import { useAnnounce } from '../../app/announcer.tsx';
import { areFormsDeclared } from '../../client/declared-forms.ts';
import type { CreateAction, CreateDocumentInput } from '../../gql/graphql.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { useIssues, type Problem } from '../actions/mutation-problem.tsx';
import type { FieldDefinition } from '../fields/field-definition.ts';
import { toFieldInputs, useCheckTexts } from '../fields/field-values.ts';
import { noAttempt as noFieldsAttempt, type FieldsAttempt } from '../fields/value-fields.tsx';
import { enteredTexts, type Draft } from './draft.ts';
import {
  checkFiles,
  findUnreadable,
  type UploadFailure,
  type UploadLimits,
} from './upload-failure.ts';
import { useCreateDocument, type CreatedDocument } from './use-create-document.ts';

interface Attempt extends FieldsAttempt {
  readonly problem: Problem | null;
  readonly failure: UploadFailure | null;
}

const noAttempt: Attempt = { ...noFieldsAttempt, problem: null, failure: null };

interface SubmissionOptions {
  readonly draft: Draft;
  /** Null: not selected yet. */
  readonly form: { readonly shortId: string | null; readonly fullId: string } | null;
  readonly fields: readonly FieldDefinition[];
  readonly onCreated: (created: CreatedDocument) => Promise<void>;
}

export function useSubmission({ draft, form, fields, onCreated }: SubmissionOptions) {
  const t = useText();
  const format = useFormat();
  const announce = useAnnounce();
  const checkTexts = useCheckTexts();
  const [attempt, setAttempt] = useState(noAttempt);
  const [limits, setLimits] = useState<UploadLimits>({});
  const { progress, create, cancel } = useCreateDocument();
  const isSubmitting = useRef(false);

  const findIssues = async (): Promise<ReadonlyMap<string, string>> => {
    const issues = new Map(checkTexts(fields, draft.texts));
    if (form === null) issues.set('form', t('Select a form.'));
    const exceeded = checkFiles(draft.files, limits, { t, format });
    if (exceeded !== null) issues.set('files', exceeded);
    const unreadable = issues.size === 0 ? await findUnreadable(draft.files) : [];
    if (unreadable.length > 0) {
      const names = unreadable.join(', ');
      const text = 'Files that can no longer be read: {names}. Remove them, or select them again.';
      issues.set('files', t(text, { names }));
    }
    return issues;
  };
  const send = async (
    { shortId, fullId }: SubmissionOptions['form'] & {},
    action: CreateAction | null,
  ): Promise<void> => {
    setAttempt(noAttempt);
    announce(t('Sending the document.'));
    const texts = enteredTexts(draft, fields);
    const isTyped = shortId !== null && areFormsDeclared.get();
    const formId = isTyped ? shortId : null;
    const { input: entered, paths } = toFieldInputs(formId, fields, texts, draft.locale);
    const input: CreateDocumentInput = {
      form: shortId ?? fullId,
      ...entered,
      files: [...draft.files],
      ...(action !== null && { action }),
    };
    const outcome = await create(input);
    if (outcome.kind === 'created') {
      await onCreated(outcome.created);
    } else if (outcome.kind === 'problem') {
      setAttempt({ ...noAttempt, problem: outcome.problem, texts, paths });
    } else {
      setLimits({ ...limits, ...outcome.failure.limits });
      setAttempt({ ...noAttempt, failure: outcome.failure });
    }
  };
  const submit = async (action: CreateAction | null): Promise<void> => {
    if (isSubmitting.current) return;
    isSubmitting.current = true;
    try {
      const ownIssues = await findIssues();
      if (ownIssues.size > 0 || form === null) setAttempt({ ...noAttempt, ownIssues });
      else await send(form, action);
    } finally {
      isSubmitting.current = false;
    }
  };
  const issues = useIssues(attempt.problem);
  return {
    attempt: { ...attempt, issues },
    reset: () => setAttempt(noAttempt),
    progress,
    submit,
    cancel,
  };
}
