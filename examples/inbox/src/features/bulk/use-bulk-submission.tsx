import { useApolloClient } from '@apollo/client/react';
import { useLocation, Link } from 'react-router';
import { topicOf } from '../../domain/document.ts';
import type { BulkDocumentFragment } from '../../gql/graphql.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { sendLater } from '../actions/delayed-actions.ts';
import { removeLateResult, reportLateResult } from '../actions/late-result.tsx';
import { useSessionState } from '../session/session-context.tsx';
import { useBulkAction, type BulkAction, type BulkResult } from './use-bulk-action.ts';
import type { Selection } from './use-selection.ts';
import { ExplanationText, type Explanation } from '../../components/explanation.tsx';
import { useLastView } from '../views/last-view.tsx';

export function useBulkSubmission(selection: Selection, onReload: () => Promise<unknown>) {
  const t = useText();
  const format = useFormat();
  const { personId } = useSessionState();
  const { pathname, search } = useLocation();
  const { cache } = useApolloClient();
  const run = useBulkAction();

  return (documents: readonly BulkDocumentFragment[], action: BulkAction): void => {
    removeLateResult(); // that of the bulk action before
    const path = pathname + search;
    const count = format.count(documents.length);
    const targets = documents.map(({ id, meta }) => ({ id, revision: meta?.revision ?? null }));
    const send = async (): Promise<readonly string[]> => {
      const results = await run(targets, action);
      const failed = failedIn(documents, results);
      selection.settle(results);
      for (const [id, { isDone }] of results) if (isDone) removeLateResult(id);
      if (failed.length > 0) {
        const done = format.count(documents.length - failed.length);
        const text =
          documents.length === 1
            ? t('{action}: {done} of 1 document', { action: action.label, done })
            : t('{action}: {done} of {count} documents', { action: action.label, done, count });
        const list = <FailedDocuments path={path} documents={failed} />;
        reportLateResult({ personId, message: text, failed: list });
      }
      void onReload();
      return failed.map(({ id }) => id);
    };
    sendLater({
      message:
        documents.length === 1
          ? t('{action}: 1 document', { action: action.label })
          : t('{action}: {count} documents', { action: action.label, count }),
      path,
      selection: selection.state,
      leaving: action.kind === 'respond' ? targets.map(({ id }) => id) : [],
      entered: targets.map((target) => ({
        ...target,
        action: action.label,
        content: action.kind === 'respond' && action.content,
      })),
      cache,
      send,
    });
    selection.selectOnly([]);
  };
}

function failedIn(
  documents: readonly BulkDocumentFragment[],
  results: ReadonlyMap<string, BulkResult>,
): readonly FailedDocument[] {
  return documents.flatMap(({ id, shortId, fullId, extra }) => {
    const result = results.get(id)!;
    if (result.isDone) return [];
    const documentId = shortId ?? fullId;
    return [{ id, documentId, title: topicOf(extra) ?? documentId, explanation: result }];
  });
}

interface FailedDocument {
  readonly id: string;
  readonly documentId: string;
  readonly title: string;
  readonly explanation: Explanation;
}

interface FailedDocumentsProps {
  /** The path of their list, whose rows say why. */
  readonly path: string;
  readonly documents: readonly FailedDocument[];
}

function FailedDocuments({ path, documents }: FailedDocumentsProps) {
  const { pathname, search } = useLocation();
  const rows = useLastView()?.documents.map(({ id }) => id) ?? [];
  const isList = pathname + search === path;
  const others = documents.filter(({ documentId }) => !isList || !rows.includes(documentId));
  if (others.length === 0) return null;
  return (
    <ul>
      {others.map(({ documentId, title, explanation }) => (
        <li key={documentId}>
          <Link to={`/app/documents/${encodeURIComponent(documentId)}`}>{title}</Link>:{' '}
          <ExplanationText {...explanation} />
        </li>
      ))}
    </ul>
  );
}
