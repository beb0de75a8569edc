import { AuthorName } from '../../components/author-name.tsx';
import { formatDate, formatTime } from '../../domain/format.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';

const documentSummaryFragment = graphql(`
  fragment DocumentSummary on Document {
    id
    shortId
    fullId
    dateCreated
    dateDue
    step
    iteration
    tags
    author {
      ...AuthorName
    }
    meta {
      modifiedAt
      revision
    }
  }
`);

interface DocumentSummaryProps {
  readonly document: FragmentType<typeof documentSummaryFragment>;
}

/** The properties that every document has. */
export function DocumentSummary(props: DocumentSummaryProps) {
  const document = useFragment(documentSummaryFragment, props.document);
  const { shortId, fullId, author, dateCreated, dateDue, step, iteration, tags, meta } = document;
  return (
    <section className="card stack-small" aria-labelledby="summary-heading">
      <h2 id="summary-heading">Properties</h2>
      <dl className="definition-list">
        <dt>ID</dt>
        <dd>{shortId ?? fullId}</dd>
        <dt>Author</dt>
        <dd>
          <AuthorName author={author} />
        </dd>
        <dt>Created</dt>
        <dd>{dateCreated ? formatTime(dateCreated) : 'Unknown'}</dd>
        {meta?.modifiedAt && (
          <>
            <dt>Changed</dt>
            <dd>{formatTime(meta.modifiedAt)}</dd>
          </>
        )}
        {dateDue && (
          <>
            <dt>Due</dt>
            <dd>{formatDate(dateDue)}</dd>
          </>
        )}
        <dt>Step</dt>
        <dd>
          {step ?? '–'} (iteration {iteration ?? '–'})
        </dd>
        <dt>Revision</dt>
        <dd>{meta?.revision ?? '–'}</dd>
        {tags.length > 0 && (
          <>
            <dt>Tags</dt>
            <dd className="row">
              {tags.map((tag) => (
                <span key={tag} className="badge">
                  {tag}
                </span>
              ))}
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}
