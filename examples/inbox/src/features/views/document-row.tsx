import { Link } from 'react-router';
import { WorkflowBadges } from '../../components/workflow-badges.tsx';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { AuthorName } from '../../components/author-name.tsx';
import { ExplanationText } from '../../components/explanation.tsx';
import { topicOf } from '../../domain/document.ts';
import type { Selection } from '../bulk/use-selection.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';

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
      ...AuthorName
    }
    extra(names: ["topic", "form"])
  }
`);

interface DocumentRowProps {
  readonly document: FragmentType<typeof documentRowFragment>;
  /** Titles of the forms by full ID. */
  readonly formTitles: ReadonlyMap<string, string>;
  readonly isUpdated: boolean;
  readonly selection: Selection;
}

/** A document in the table of a view. The whole row leads to the document. */
export function DocumentRow({ document, formTitles, isUpdated, selection }: DocumentRowProps) {
  const t = useText();
  const format = useFormat();
  const { id, shortId, fullId, state, status, dateCreated, dateDue, tags, author, extra } =
    useFragment(documentRowFragment, document);
  const formTitle = formTitles.get(String(extra?.['form']));
  const title = topicOf(extra) ?? shortId ?? fullId;
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
        <Link to={`/app/documents/${encodeURIComponent(shortId ?? fullId)}`}>{title}</Link>
        {isUpdated && <span className="document-row-mark">{t('Updated')}</span>}
        <span className="row small muted">
          {[shortId, formTitle, ...tags].filter(Boolean).join(' · ')}
        </span>
        {result && (
          <span className={result.isDone ? 'document-row-done' : 'field-error'}>
            <ExplanationText {...result} />
          </span>
        )}
      </th>
      <td data-label={t('Workflow')}>
        <WorkflowBadges state={state} status={status} />
      </td>
      <td data-label={t('Author')}>
        <AuthorName author={author} />
      </td>
      <td data-label={t('Created')}>{dateCreated && format.date(dateCreated)}</td>
      <td data-label={t('Due')}>{dateDue ? format.date(dateDue) : ''}</td>
    </tr>
  );
}
