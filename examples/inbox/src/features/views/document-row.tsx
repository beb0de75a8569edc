import { Link } from 'react-router';
import { AuthorName } from '../../components/author-name.tsx';
import { DueDate } from '../../components/due-date.tsx';
import { ExplanationText } from '../../components/explanation.tsx';
import { WorkflowBadges } from '../../components/workflow-badges.tsx';
import { currencyOf, documentTitle, pathOfDocument } from '../../domain/document.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { useFormTitle } from '../forms/form-title.ts';
import type { Selection } from '../bulk/use-selection.ts';

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
const formValuesFragment = graphql(`
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
  readonly isUpdated: boolean;
  readonly selection: Selection;
}

/** A document in the table of a view. The whole row leads to the document. */
export function DocumentRow({ document, isUpdated, selection }: DocumentRowProps) {
  const t = useText();
  const format = useFormat();
  const row = useFragment(documentRowFragment, document);
  const { id, shortId, state, status, dateCreated, dateDue, tags, author } = row;
  const title = documentTitle(row, t);
  const { invoice, contract, purchase, letter } = useFragment(formValuesFragment, row);
  const { partner } = invoice ?? contract ?? purchase ?? letter ?? {};
  const amount = invoice?.total && format.number(invoice.total, currencyOf(invoice.currency));
  const details = [useFormTitle(row), amount, partner?.name, ...tags].filter(Boolean);
  const result = selection.results.get(id);
  return (
    <tr>
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
          <Link className="clip" to={pathOfDocument(row)}>
            {title}
          </Link>
          {isUpdated && <span className="badge badge-active">{t('Updated')}</span>}
        </span>
        {result ? (
          <span className={result.isDone ? 'document-row-done' : 'field-error'}>
            <ExplanationText {...result} />
          </span>
        ) : (
          <span className="document-row-details muted small clip">{details.join(' · ')}</span>
        )}
      </th>
      <td className="document-row-id">{shortId}</td>
      <td className="document-row-workflow">
        <WorkflowBadges state={state} status={status} />
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
