import { Link, useLocation } from 'react-router';
import { ExplanationText, type Explanation } from '../../components/explanation.tsx';
import { useLastDocuments } from '../views/last-view.tsx';

export interface FailedDocument {
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

export function FailedDocuments({ path, documents }: FailedDocumentsProps) {
  const { pathname, search } = useLocation();
  const rows = useLastDocuments().map(({ id }) => id);
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
