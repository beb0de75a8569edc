import { useState } from 'react';
import { useAnnounce } from '../../app/announcer.tsx';
import { useIsShown } from '../../components/use-is-shown.ts';
import { topicOf } from '../../domain/document.ts';
import type { BulkDocumentFragment } from '../../gql/graphql.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { reportLateResult } from '../actions/late-result.tsx';
import { useSessionState } from '../session/session-context.tsx';
import type { Summary } from './bulk-summary.tsx';
import { FailedDocuments } from './failed-documents.tsx';
import { useBulkAction, type BulkAction, type BulkResult } from './use-bulk-action.ts';
import type { Selection } from './use-selection.ts';

interface BulkSubmissionOptions {
  /** Receives the results. */
  readonly selection: Selection;
  /** Called if the action succeeded for all documents, before the list is read again. */
  readonly onComplete: () => void;
  /** Reads the list again. */
  readonly onReload: () => Promise<unknown>;
}

/**
 * Takes an action on several documents, and holds what the last one did. `summary` is null before and meanwhile. A result
 * that arrives after the user has left the list is reported elsewhere.
 */
export function useBulkSubmission({ selection, onComplete, onReload }: BulkSubmissionOptions) {
  const t = useText();
  const format = useFormat();
  const announce = useAnnounce();
  const { personId } = useSessionState();
  const isShown = useIsShown();
  const { run, isRunning } = useBulkAction();
  const [summary, setSummary] = useState<Summary | null>(null);

  const submit = async (
    documents: readonly BulkDocumentFragment[],
    action: BulkAction,
  ): Promise<void> => {
    if (isRunning || documents.length === 0) return;
    setSummary(null);
    const targets = documents.map(({ id, meta }) => ({ id, revision: meta?.revision ?? null }));
    const results = await run(targets, action);
    const failed = failedIn(documents, results);
    const text = t('{action}: {done} of {count} documents', {
      action: action.label,
      done: format.count(documents.length - failed.length),
      count: format.count(documents.length),
    });
    selection.settle(results);
    if (isShown.current) {
      setSummary({ text, failed });
      announce(text);
    } else {
      const list = failed.length === 0 ? null : <FailedDocuments documents={failed} />;
      reportLateResult({ personId, message: text, failed: list });
    }
    if (failed.length === 0) onComplete();
    await onReload();
  };
  return { submit, isRunning, summary, closeSummary: () => setSummary(null) };
}

function failedIn(
  documents: readonly BulkDocumentFragment[],
  results: ReadonlyMap<string, BulkResult>,
): Summary['failed'] {
  return documents.flatMap(({ id, shortId, fullId, extra }) => {
    const result = results.get(id)!;
    if (result.isDone) return [];
    const documentId = shortId ?? fullId;
    return [{ id, documentId, title: topicOf(extra) ?? documentId, explanation: result }];
  });
}
