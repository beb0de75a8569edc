import type { ResultTable } from './tables.ts';

export function ResultTableView({ table }: { readonly table: ResultTable }) {
  const { name, columns, rows } = table;
  return (
    <table className="result-table">
      <caption>
        {name}: {rows.length}
      </caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {columns.map((column) => (
              <td key={column}>
                <div className="result-cell">
                  {row.get(column)?.map(({ text, href }, part) => (
                    <span key={part} className="result-part">
                      {href === undefined ? (
                        text
                      ) : (
                        <a href={href} target="_blank" rel="noreferrer">
                          {text}
                        </a>
                      )}
                    </span>
                  ))}
                </div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
