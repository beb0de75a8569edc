import type { ReactNode } from 'react';
import { AuthorName } from '../../components/author-name.tsx';
import { DueDate } from '../../components/due-date.tsx';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { useFormTitle } from '../forms/form-title.ts';
import { Card } from './card.tsx';

const documentSummaryFragment = graphql(`
  fragment DocumentSummary on Document {
    id
    shortId
    dateCreated
    dateDue
    status
    tags
    author {
      id
      ...AuthorName
    }
    ...DeclaredFormTitle
  }
`);

interface DocumentSummaryProps {
  readonly document: FragmentType<typeof documentSummaryFragment>;
}

export function DocumentSummary(props: DocumentSummaryProps) {
  const t = useText();
  const format = useFormat();
  const document = useFragment(documentSummaryFragment, props.document);
  const { shortId, author, dateCreated, dateDue, status, tags } = document;
  return (
    <Card id="summary" title={t('Properties')} fragment={documentSummaryFragment}>
      <dl className="definition-list">
        <Property label={t('ID')}>{shortId}</Property>
        <Property label={t('Form')}>{useFormTitle(document)}</Property>
        <Property label={t('Author')}>
          <AuthorName author={author} />
        </Property>
        <Property label={t('Created')}>{dateCreated && format.date(dateCreated)}</Property>
        <Property label={t('Due')}>
          {dateDue && <DueDate date={dateDue} status={status} />}
        </Property>
        <Property label={t('Tags')}>
          {tags.length > 0 && (
            <span className="row">
              {tags.map((tag) => (
                <span key={tag} className="badge">
                  {tag}
                </span>
              ))}
            </span>
          )}
        </Property>
      </dl>
    </Card>
  );
}

interface PropertyProps {
  readonly label: string;
  readonly children: ReactNode;
}

function Property({ label, children }: PropertyProps) {
  if (!children) return null;
  return (
    <div className="value-row">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
