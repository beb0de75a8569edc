import { Link } from 'react-router';
import { topicOf } from '../../domain/document.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';

export const documentReferencesFragment = graphql(`
  fragment DocumentReferences on Document {
    refByDocs(first: 10) {
      totalCount
      nodes {
        id
        shortId
        fullId
        extra(names: ["topic"])
      }
    }
  }
`);

interface DocumentReferencesProps {
  readonly document: FragmentType<typeof documentReferencesFragment>;
}

/** The documents that refer to this one. */
export function DocumentReferences(props: DocumentReferencesProps) {
  const t = useText();
  const format = useFormat();
  const { refByDocs } = useFragment(documentReferencesFragment, props.document);
  if (!refByDocs || refByDocs.totalCount === 0) return null;
  const known = refByDocs.nodes.filter((node) => node !== null);
  const missing = refByDocs.totalCount - known.length;
  return (
    <section className="card stack-small" aria-labelledby="references-heading">
      <h2 id="references-heading">{t('Referring documents')}</h2>
      <ul className="link-list">
        {known.map(({ id, shortId, fullId, extra }) => (
          <li key={id}>
            <Link to={`/app/documents/${encodeURIComponent(shortId ?? fullId)}`}>
              {topicOf(extra) ?? shortId ?? fullId}
            </Link>
          </li>
        ))}
      </ul>
      {missing > 0 && (
        <p className="muted small">{t('and {count} more', { count: format.count(missing) })}</p>
      )}
    </section>
  );
}
