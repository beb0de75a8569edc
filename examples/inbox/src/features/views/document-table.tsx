import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useText } from '../../language/text.ts';
import type { Selection } from '../bulk/use-selection.ts';
import { DocumentRow } from './document-row.tsx';
import { SortableHeader } from './sorting.tsx';
import { maxSorted } from './use-document-list.ts';
import type { RowChange } from './use-row-changes.ts';
import './document-table.css';

const documentTableFragment = graphql(`
  fragment DocumentTable on DocumentConnection {
    totalCount
    nodes {
      id
      ...DocumentRow
    }
  }
`);

interface DocumentTableProps {
  readonly caption: string;
  readonly page: FragmentType<typeof documentTableFragment>;
  /** Identifies the list. Rows of another one are new rows, so that none moves. */
  readonly listKey: string;
  /** Whether the rows are those of an earlier page or filter, because the current ones are loaded. */
  readonly isStale: boolean;
  readonly changes: ReadonlyMap<string, RowChange>;
  readonly selection: Selection;
}

export function DocumentTable(props: DocumentTableProps) {
  const { caption, page, listKey, isStale, changes, selection } = props;
  const { nodes, totalCount } = useFragment(documentTableFragment, page);
  return (
    <div className="document-table-container">
      <table className="document-table" aria-busy={isStale} inert={isStale}>
        <caption className="visually-hidden">{caption}</caption>
        <TableHead isSortable={(totalCount ?? 0) <= maxSorted} />
        <tbody key={listKey}>
          {nodes.map((node) => (
            <DocumentRow
              key={node.id}
              document={node}
              change={changes.get(node.id)}
              selection={selection}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TableHead({ isSortable = true }: { readonly isSortable?: boolean }) {
  const t = useText();
  return (
    <thead>
      <tr>
        <td className="document-row-select">
          <span className="visually-hidden">{t('Selection')}</span>
        </td>
        <th scope="col">{t('Document')}</th>
        {(['Amount', 'Workflow', 'Author'] as const).map((name) => (
          <th key={name} scope="col" className={`document-row-${name.toLowerCase()}`}>
            {t(name)}
          </th>
        ))}
        <SortableHeader column="created" label="Created" isSortable={isSortable} />
        <SortableHeader column="due" label="Due" isSortable={isSortable} />
      </tr>
    </thead>
  );
}

const placeholders = ['amount', 'workflow', 'author', 'created'];

/* oxlint-disable jsx-a11y/control-has-associated-label -- assistive technology does not see the cells of the skeleton */

export function DocumentTableSkeleton({ rows }: { readonly rows: number }) {
  const t = useText();
  return (
    <div className="document-table-container">
      <p className="visually-hidden" role="status">
        {t('Loading {what}…', { what: t('documents') })}
      </p>
      <table className="document-table document-table-skeleton" aria-hidden="true" inert>
        <TableHead />
        <tbody>
          {Array.from({ length: rows }, (_, index) => (
            <tr key={index}>
              <td className="document-row-select" />
              <th className="document-row-title">
                <div className="skeleton" />
                <div className="skeleton document-row-details" />
              </th>
              {placeholders.map((name) => (
                <td key={name} className={`document-row-${name}`}>
                  <div className="skeleton" />
                </td>
              ))}
              <td className="document-row-due" />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
