import { Link } from 'react-router';
import { ExplanationText, type Explanation } from '../../components/explanation.tsx';

export interface FailedDocument {
  readonly id: string;
  readonly documentId: string;
  readonly title: string;
  readonly explanation: Explanation;
}

export function FailedDocuments({ documents }: { readonly documents: readonly FailedDocument[] }) {
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
