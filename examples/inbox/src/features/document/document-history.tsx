import type { ReactNode } from 'react';
import { labelOf, phases } from '../../domain/workflow.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';

const documentHistoryFragment = graphql(`
  fragment DocumentHistory on Document {
    id
    state
    step
    dateCreated
    author {
      id
      __typename
      systemId
      ... on Person {
        fullName
      }
    }
    meta {
      modifiedAt
      revision
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
  const { state, step, dateCreated, author, meta } = document;
  const name =
    author?.__typename === 'Person'
      ? author.fullName || t('Unknown')
      : t(author ? 'Service account' : 'Unknown');
  return (
    <section className="card stack-small" aria-labelledby="history-heading">
      <h2 id="history-heading">{t('History')}</h2>
      <ol className="history">
        <HistoryEntry moment={dateCreated}>
          {t('{name} created the document', { name })}
        </HistoryEntry>
        {meta?.modifiedAt && meta.modifiedAt !== dateCreated && (
          <HistoryEntry moment={meta.modifiedAt}>
            {t('Last change, revision {revision}', { revision: meta.revision ?? '–' })}
          </HistoryEntry>
        )}
        {state !== null && (
          <HistoryEntry moment={null}>
            {t('In {phase} now, step {step}', {
              phase: labelOf(phases, state, t),
              step: step ?? '–',
            })}
          </HistoryEntry>
        )}
      </ol>
    </section>
  );
}

interface HistoryEntryProps {
  /** Null: now. */
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
