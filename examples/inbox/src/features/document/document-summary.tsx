import { AuthorName } from '../../components/author-name.tsx';
import { DueDate } from '../../components/due-date.tsx';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useText } from '../../language/text.ts';
import { useFormTitle } from '../forms/form-title.ts';

const documentSummaryFragment = graphql(`
  fragment DocumentSummary on Document {
    id
    shortId
    dateDue
    status
    step
    iteration
    tags
    author {
      id
      ...AuthorName
    }
    ...DeclaredFormTitle
    meta {
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
  const document = useFragment(documentSummaryFragment, props.document);
  const { shortId, author, dateDue, status, step, iteration, tags, meta } = document;
  const formTitle = useFormTitle(document);
  return (
    <section className="card stack-small" aria-labelledby="summary-heading">
      <h2 id="summary-heading">{t('Properties')}</h2>
      <dl className="definition-list">
        {shortId && (
          <>
            <dt>{t('ID')}</dt>
            <dd>{shortId}</dd>
          </>
        )}
        {formTitle !== null && (
          <>
            <dt>{t('Form')}</dt>
            <dd>{formTitle}</dd>
          </>
        )}
        <dt>{t('Author')}</dt>
        <dd>
          <AuthorName author={author} />
        </dd>
        {dateDue && (
          <>
            <dt>{t('Due')}</dt>
            <dd>
              <DueDate date={dateDue} status={status} />
            </dd>
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
