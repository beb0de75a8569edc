import { useApolloClient } from '@apollo/client/react';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { useAnnounce } from '../../app/announcer.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { TemporaryButton } from '../../components/temporary-button.tsx';
import { documentTitle, pathOfDocument } from '../../domain/document.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { Card } from './card.tsx';

export const documentReferencesFragment = graphql(`
  fragment DocumentReferences on Document {
    id
    refByDocs(first: 10) {
      totalCount
      ...ReferencePage
    }
  }
`);

const referencePageFragment = graphql(`
  fragment ReferencePage on DocumentReferenceConnection {
    nodes {
      id
      shortId
      fullId
      extra(names: ["topic"])
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
`);

const moreReferencesQuery = graphql(`
  query MoreReferences($id: ID!, $after: String!) {
    document(id: $id) {
      id
      refByDocs(first: 10, after: $after) {
        ...ReferencePage
      }
    }
  }
`);

interface DocumentReferencesProps {
  readonly document: FragmentType<typeof documentReferencesFragment>;
}

/** The documents that refer to this one, ten at a time: each costs a call of the DMS. */
export function DocumentReferences(props: DocumentReferencesProps) {
  const t = useText();
  const format = useFormat();
  const announce = useAnnounce();
  const client = useApolloClient();
  const { id, refByDocs } = useFragment(documentReferencesFragment, props.document);
  const [morePages, setMorePages] = useState<readonly FragmentType<typeof referencePageFragment>[]>(
    [],
  );
  const [isLoading, setIsLoading] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const [problem, setProblem] = useState<Error | 'gone' | null>(null);
  const pages = useFragment(referencePageFragment, refByDocs ? [refByDocs, ...morePages] : []);
  if (!refByDocs || refByDocs.totalCount === 0) return null;
  const nodes = pages.flatMap((page) => page.nodes);
  const known = nodes.filter((node) => node !== null);
  const endCursor = pages.at(-1)?.pageInfo.hasNextPage ? pages.at(-1)?.pageInfo.endCursor : null;
  const missing = refByDocs.totalCount - (endCursor == null ? known : nodes).length;

  const loadMore = async (after: string): Promise<void> => {
    setIsLoading(true);
    setProblem(null);
    const result = await client
      .query({ query: moreReferencesQuery, variables: { id, after } })
      .catch((error: unknown) => ({ data: undefined, error: error as Error }));
    const page = result.data?.document?.refByDocs;
    if (page) {
      setMorePages((before) => [...before, page]);
      announce(t('More documents are shown.'));
    } else setProblem(result.error ?? 'gone');
    setIsLoading(false);
  };
  return (
    <Card
      id="references"
      title={t('Referring documents')}
      headingRef={heading}
      fragment={documentReferencesFragment}
    >
      <ul className="link-list">
        {known.map((document) => (
          <li key={document.id}>
            <Link to={pathOfDocument(document)}>{documentTitle(document, t)}</Link>
          </li>
        ))}
      </ul>
      {problem === 'gone' && (
        <p role="alert" className="notice notice-error">
          {t('The document does not exist, or you are not allowed to see it.')}
        </p>
      )}
      {problem instanceof Error && (
        <ErrorNotice title={t('The documents cannot be shown.')} error={problem} />
      )}
      {missing > 0 && (
        <div className="row">
          <span className="muted small">
            {t('and {count} more', { count: format.count(missing) })}
          </span>
          {endCursor != null && (
            <TemporaryButton
              aria-disabled={isLoading}
              onClick={() => {
                if (!isLoading) void loadMore(endCursor);
              }}
              onFocusLost={() => heading.current?.focus()}
            >
              {t('Show more')}
            </TemporaryButton>
          )}
        </div>
      )}
    </Card>
  );
}
