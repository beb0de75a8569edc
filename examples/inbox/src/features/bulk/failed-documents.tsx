import { Link } from 'react-router';
import { ExplanationText, type Explanation } from '../../components/explanation.tsx';

/** A document for which an action failed. */
export interface FailedDocument {
  /** Global ID. */
  readonly id: string;
  /** Short ID, or the full ID if there is none. */
  readonly documentId: string;
  readonly title: string;
  readonly explanation: Explanation;
}

/** Links to documents for which an action failed, each with the reason. Nothing if there are none. */
export function FailedDocuments({ documents }: { readonly documents: readonly FailedDocument[] }) {
  if (documents.length === 0) return null;
  return (
    <ul>
      {documents.map(({ id, documentId, title, explanation }) => (
        <li key={id}>
          <Link to={`/app/documents/${encodeURIComponent(documentId)}`}>{title}</Link>:{' '}
          <ExplanationText {...explanation} />
        </li>
      ))}
    </ul>
  );
}
