import { useGraphiQL } from '@graphiql/react';

export interface ResultError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
}

export function ResultErrors({ errors }: { readonly errors: readonly ResultError[] }) {
  const queryEditor = useGraphiQL((state) => state.queryEditor);
  const show = (lineNumber: number, column: number): void => {
    queryEditor?.setPosition({ lineNumber, column });
    queryEditor?.revealLineInCenter(lineNumber);
    queryEditor?.focus();
  };
  return (
    <div className="result-errors" role="alert">
      <ul aria-label="Errors">
        {errors.map(({ message, path, locations: [at] = [] }, index) => (
          <li key={index} className="notice notice-error">
            <span>
              {message}
              {path && <code> {path.join('.')}</code>}
            </span>
            {at && (
              <button
                type="button"
                className="button"
                aria-label={`Line ${at.line}, column ${at.column}`}
                onClick={() => show(at.line, at.column)}
              >
                Line {at.line}
              </button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
