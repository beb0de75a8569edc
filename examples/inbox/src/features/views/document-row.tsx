import { Link, useLocation } from 'react-router';
import { AuthorName } from '../../components/author-name.tsx';
import { DueDate } from '../../components/due-date.tsx';
import { ExplanationText } from '../../components/explanation.tsx';
import { WorkflowBadge } from '../../components/workflow-badge.tsx';
import { currencyOf, documentTitle, pathOfDocument } from '../../domain/document.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { useFormTitle } from '../forms/form-title.ts';
import type { Selection } from '../bulk/use-selection.ts';
import type { RowChange } from './use-row-changes.ts';

const documentRowFragment = graphql(`
  fragment DocumentRow on Document {
    id
    shortId
    fullId
    state
    status
    dateCreated
    dateDue
    tags
    author {
      id
      ...AuthorName
    }
    extra(names: ["topic"])
    ...DeclaredFormTitle
    ...DeclaredRow
  }
`);

/** What documents of the sandbox's forms are about: with whom, and the amount. */
export const formValuesFragment = graphql(`
  fragment DeclaredRow on Document {
    id
    invoice {
      total
      currency {
        id
        externalId
      }
      partner: supplier {
        id
        name
      }
    }
    contract {
      partner {
        id
        name
      }
    }
    purchase {
      partner: vendor {
        id
        name
      }
    }
    letter {
      partner: sender {
        id
        name
      }
    }
  }
`);

interface DocumentRowProps {
  readonly document: FragmentType<typeof documentRowFragment>;
  readonly change: RowChange | undefined;
  readonly selection: Selection;
}

export function DocumentRow({ document, change, selection }: DocumentRowProps) {
  const t = useText();
  const format = useFormat();
  const row = useFragment(documentRowFragment, document);
  const { pathname, search } = useLocation();
  const list = pathname.replace('/app/views/', '') + search;
  const { id, shortId, state, status, dateCreated, dateDue, tags, author } = row;
  const title = documentTitle(row, t);
  const { invoice, contract, purchase, letter } = useFragment(formValuesFragment, row);
  const { partner } = invoice ?? contract ?? purchase ?? letter ?? {};
  const amount = invoice?.total && format.number(invoice.total, currencyOf(invoice.currency));
  // What the title says is not repeated.
  const details = [useFormTitle(row), partner?.name, ...tags].filter(
    (text) => text && !title.toLowerCase().includes(text.toLowerCase()),
  );
  const result = selection.results.get(id);
  return (
    <tr className={change === 'leaving' ? 'document-row-leaving' : undefined}>
      <td className="document-row-select">
        <input
          type="checkbox"
          aria-label={t('Select {document}', { document: title })}
          checked={selection.ids.has(id)}
          onChange={({ nativeEvent }) => {
            selection.toggle(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey);
          }}
        />
      </td>
      <th scope="row" className="document-row-title">
        <span className="document-row-line">
          <Link className="clip" to={pathOfDocument(row, list)}>
            {title}
          </Link>
          {change && (
            <span className={`badge badge-${change === 'leaving' ? 'paused' : 'active'}`}>
              {t(change === 'leaving' ? 'Changed, leaves this view' : 'Updated')}
            </span>
          )}
        </span>
        <span className="document-row-details muted small clip">
          {result ? (
            <span className={result.isDone ? 'document-row-done' : 'field-error'}>
              <ExplanationText {...result} />
            </span>
          ) : (
            <>
              <span className="document-row-id">{shortId}</span>
              {details.map((text) => (
                <span key={text} className="document-row-detail">
                  {' '}
                  · {text}
                </span>
              ))}
            </>
          )}
        </span>
      </th>
      <td className="document-row-amount">{amount}</td>
      <td className="document-row-workflow">
        <WorkflowBadge state={state} status={status} />
      </td>
      <td className="document-row-author">
        <AuthorName author={author} />
      </td>
      <td className="document-row-created">{dateCreated && format.day(dateCreated)}</td>
      <td className="document-row-due">
        <DueDate date={dateDue} status={status} />
      </td>
    </tr>
  );
}
