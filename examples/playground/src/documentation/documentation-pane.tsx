import {
  FieldDocumentation,
  SchemaDocumentation,
  TypeDocumentation,
  useDocExplorer,
  useDocExplorerActions,
} from '@graphiql/plugin-doc-explorer';
import type { GraphiQLPlugin } from '@graphiql/react';
import { isType, type GraphQLSchema } from 'graphql';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { Icon } from '../../../ui/icon.tsx';
import { useSchema } from '../schema.ts';
import { searchSchema, type Found } from './search-schema.ts';

export const documentationPlugin: GraphiQLPlugin = {
  title: 'Documentation',
  icon: () => <Icon name="documentation" />,
  content: DocumentationPane,
};

function DocumentationPane() {
  const schema = useSchema();
  if (schema === null) return <p className="muted">There is no schema.</p>;
  return <Documentation schema={schema} />;
}

/** The pages are those of GraphiQL, whose search knows neither enum values nor `Type.field`. */
function Documentation({ schema }: { readonly schema: GraphQLSchema }) {
  const pages = useDocExplorer();
  const { push, pop } = useDocExplorerActions();
  const [search, setSearch] = useState({ text: '', pages });
  // A click in the editor opens a page, too.
  const text = search.pages === pages ? search.text : '';
  const page = pages.at(-1);
  const heading = useRef<HTMLHeadingElement>(null);
  const lastPages = useRef(pages);
  useEffect(() => {
    // The link that led here is gone.
    if (lastPages.current !== pages) heading.current?.focus();
    lastPages.current = pages;
  }, [pages]);
  const open = ({ path }: Found): void => {
    for (const def of path) push({ name: def.name, def });
  };
  const found = text.trim() === '' ? null : searchSchema(schema, text);
  const openFirst = ({ key }: KeyboardEvent): void => {
    if (key === 'Enter' && found?.[0]) open(found[0]);
  };
  return (
    <section className="documentation" aria-label="Documentation">
      <input
        type="search"
        aria-label="Search the documentation"
        placeholder="Type, field, Type.field or value"
        value={text}
        onChange={({ currentTarget }) => setSearch({ text: currentTarget.value, pages })}
        onKeyDown={openFirst}
      />
      {found === null ? (
        <>
          {pages.length > 1 && (
            <button type="button" className="button button-quiet" onClick={pop}>
              <Icon name="previous" />
              {pages.at(-2)?.name}
            </button>
          )}
          <h3 ref={heading} tabIndex={-1}>
            {page?.name}
          </h3>
          {page?.def === undefined ? (
            <SchemaDocumentation schema={schema} />
          ) : isType(page.def) ? (
            <TypeDocumentation type={page.def} />
          ) : (
            <FieldDocumentation field={page.def} />
          )}
        </>
      ) : (
        <>
          <ul>
            {found.map((one) => (
              <li key={one.label}>
                <button type="button" className="found" onClick={() => open(one)}>
                  {one.label}
                </button>
              </li>
            ))}
          </ul>
          <p role="status" className="muted">
            {found.length === 0 && 'Nothing in the schema has this name.'}
          </p>
        </>
      )}
    </section>
  );
}
