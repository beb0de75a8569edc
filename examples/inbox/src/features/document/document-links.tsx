import { useQuery } from '@apollo/client/react';
import { Link } from 'react-router';
import { documentTitle, pathOfDocument } from '../../domain/document.ts';
import { graphql } from '../../gql/index.ts';
import { useText } from '../../language/text.ts';

/** What a link to a document needs. `id` is a short, full or global ID. */
export const documentNameQuery = graphql(`
  query DocumentName($id: ID!) {
    document(id: $id) {
      id
      shortId
      fullId
      extra(names: ["topic"])
    }
  }
`);

/** Links to several documents. */
export function DocumentLinks({ ids }: { readonly ids: readonly string[] }) {
  return (
    <ul>
      {ids.map((id) => (
        <li key={id}>
          <DocumentLink id={id} />
        </li>
      ))}
    </ul>
  );
}

function DocumentLink({ id }: { readonly id: string }) {
  const t = useText();
  const { data, loading } = useQuery(documentNameQuery, { variables: { id } });
  const document = data?.document;
  if (document) return <Link to={pathOfDocument(document)}>{documentTitle(document, t)}</Link>;
  if (loading) return <span className="muted">{t('Loading…')}</span>;
  return <span className="muted">{t('Not visible to you')}</span>;
}
