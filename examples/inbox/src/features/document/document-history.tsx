import type { ReactNode } from 'react';
import { useAuthorName } from '../../components/author-name.tsx';
import { labelsOfWorkflow } from '../../domain/workflow.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { Card } from './card.tsx';

const documentHistoryFragment = graphql(`
  fragment DocumentHistory on Document {
    id
    state
    status
    iteration
    dateCreated
    author {
      id
      ...AuthorName
    }
    meta {
      modifiedAt
    }
  }
`);

interface DocumentHistoryProps {
  readonly document: FragmentType<typeof documentHistoryFragment>;
}

/** Who did what, and when, as far as the DMS tells: it does not tell who has responded. */
export function DocumentHistory(props: DocumentHistoryProps) {
  const t = useText();
  const document = useFragment(documentHistoryFragment, props.document);
  const { state, status, iteration, dateCreated, author, meta } = document;
  const name = useAuthorName(author);
  const labels = labelsOfWorkflow(state, status, t);
  return (
    <Card id="history" title={t('History')} fragment={documentHistoryFragment}>
      <ol className="history">
        <HistoryEntry moment={dateCreated}>
          {t('{name} created the document', { name })}
        </HistoryEntry>
        {iteration !== null && iteration > 1 && (
          <HistoryEntry moment={null}>{t('It was sent again after a response')}</HistoryEntry>
        )}
        {meta?.modifiedAt && meta.modifiedAt !== dateCreated && (
          <HistoryEntry moment={meta.modifiedAt}>{t('Last change')}</HistoryEntry>
        )}
        {labels.length > 0 && (
          <HistoryEntry moment={null}>
            {t('Now: {state}', { state: labels.join(' · ') })}
          </HistoryEntry>
        )}
      </ol>
    </Card>
  );
}

interface HistoryEntryProps {
  /** Null: now, or not known. */
  readonly moment: string | null;
  readonly children: ReactNode;
}

function HistoryEntry({ moment, children }: HistoryEntryProps) {
  const format = useFormat();
  return (
    <li>
      <span>{children}</span>
      {moment && <time dateTime={moment}>{format.time(moment)}</time>}
    </li>
  );
}
