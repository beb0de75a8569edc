import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { ExplanationText, type Explanation } from '../../components/explanation.tsx';

/** What the last action did. */
export interface Summary {
  readonly text: string;
  readonly failed: readonly FailedDocument[];
}

interface FailedDocument {
  /** Global ID. */
  readonly id: string;
  /** Short ID, or the full ID if there is none. */
  readonly documentId: string;
  readonly title: string;
  readonly explanation: Explanation;
}

interface BulkSummaryProps {
  readonly summary: Summary;
  /** Global IDs of the rows. They say themselves why the action failed. */
  readonly shownIds: readonly string[];
}

/** The result of the last action, with the failed documents that are no longer in the list. It receives the focus. */
export function BulkSummary({ summary, shownIds }: BulkSummaryProps) {
  const { text, failed } = summary;
  const notice = useRef<HTMLDivElement>(null);
  // The button that was pressed was disabled meanwhile, and does not exist any more if nothing failed.
  useEffect(() => notice.current?.focus(), []);
  const hidden = failed.filter(({ id }) => !shownIds.includes(id));
  return (
    <div
      ref={notice}
      tabIndex={-1}
      className={`notice stack-small notice-${failed.length === 0 ? 'success' : 'warning'}`}
    >
      <p>{text}</p>
      {hidden.length > 0 && (
        <ul>
          {hidden.map(({ id, documentId, title, explanation }) => (
            <li key={id}>
              <Link to={`/app/documents/${encodeURIComponent(documentId)}`}>{title}</Link>:{' '}
              <ExplanationText {...explanation} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
