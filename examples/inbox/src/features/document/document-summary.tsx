import { AuthorName } from '../../components/author-name.tsx';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';

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
  const t = useText();
  const format = useFormat();
  const document = useFragment(documentSummaryFragment, props.document);
  const { shortId, fullId, author, dateCreated, dateDue, step, iteration, tags, meta } = document;
  return (
    <section className="card stack-small" aria-labelledby="summary-heading">
      <h2 id="summary-heading">{t('Properties')}</h2>
      <dl className="definition-list">
        <dt>{t('ID')}</dt>
        <dd>{shortId ?? fullId}</dd>
        <dt>{t('Author')}</dt>
        <dd>
          <AuthorName author={author} />
        </dd>
        <dt>{t('Created')}</dt>
        <dd>{dateCreated ? format.time(dateCreated) : t('Unknown')}</dd>
        {meta?.modifiedAt && (
          <>
            <dt>{t('Changed')}</dt>
            <dd>{format.time(meta.modifiedAt)}</dd>
          </>
        )}
        {dateDue && (
          <>
            <dt>{t('Due')}</dt>
            <dd>{format.date(dateDue)}</dd>
          </>
        )}
        <dt>{t('Step')}</dt>
        <dd>
          {t('{step} (iteration {iteration})', { step: step ?? '–', iteration: iteration ?? '–' })}
        </dd>
        <dt>{t('Revision')}</dt>
        <dd>{meta?.revision ?? '–'}</dd>
        {tags.length > 0 && (
          <>
            <dt>{t('Tags')}</dt>
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
