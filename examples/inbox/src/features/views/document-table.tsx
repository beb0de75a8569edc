import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import type { Selection } from '../bulk/use-selection.ts';
import { DocumentRow } from './document-row.tsx';
import { useForms } from './use-forms.ts';
import { useText } from '../../language/text.ts';
import './document-table.css';

const documentTableFragment = graphql(`
  fragment DocumentTable on DocumentConnection {
    nodes {
      id
      ...DocumentRow
    }
  }
`);

interface DocumentTableProps {
  /** Name of the table for screen readers. */
  readonly caption: string;
  readonly page: FragmentType<typeof documentTableFragment>;
  /** Whether the rows are those of an earlier page or filter, because the current ones are loaded. */
  readonly isStale: boolean;
  /** Documents that someone has changed since the list was opened. */
  readonly updatedIds: ReadonlySet<string>;
  readonly selection: Selection;
}

/** A page of documents. If there is little room, each row is a card. */
export function DocumentTable(props: DocumentTableProps) {
  const { caption, page, isStale, updatedIds, selection } = props;
  const t = useText();
  const { nodes } = useFragment(documentTableFragment, page);
  const formTitles = new Map(useForms().forms.map(({ fullId, title }) => [fullId, title]));
  return (
    <div className="document-table-container">
      <table className="document-table card" aria-busy={isStale}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <td>
              <span className="visually-hidden">{t('Selection')}</span>
            </td>
            <th scope="col">{t('Document')}</th>
            <th scope="col">{t('Workflow')}</th>
            <th scope="col">{t('Author')}</th>
            <th scope="col">{t('Created')}</th>
            <th scope="col">{t('Due')}</th>
          </tr>
        </thead>
        <tbody>
          {nodes.map((node) => (
            <DocumentRow
              key={node.id}
              document={node}
              formTitles={formTitles}
              isUpdated={updatedIds.has(node.id)}
              selection={selection}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
