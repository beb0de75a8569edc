import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseSync, type Comment, type ModuleExportName, type Program } from 'oxc-parser';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');

interface ExportedSymbol {
  readonly name: string;
  /** Without the comment marks. Null if there is no docstring directly above the export. */
  readonly docstring: string | null;
}

/** The symbols that a module declares and exports. */
function exportedSymbols(path: string, source: string): ExportedSymbol[] {
  const { program, comments, errors } = parseSync(path, source);
  expect(errors).toEqual([]);
  const found = new Map<string, ExportedSymbol>();
  for (const statement of program.body) {
    if (statement.type === 'ExportDefaultDeclaration') throw new Error(`${path}: a default export`);
    if (statement.type !== 'ExportNamedDeclaration' || statement.source !== null) continue;
    if (statement.declaration === null) throw new Error(`${path}: an export apart from its symbol`);
    const docstring = docstringAbove(statement.start, source, comments);
    for (const name of declaredNames(statement.declaration)) {
      // The docstring of an overloaded function stands above its first signature.
      if (!found.has(name)) found.set(name, { name, docstring });
    }
  }
  return [...found.values()];
}

type Declaration = Extract<
  Program['body'][number],
  { type: 'ExportNamedDeclaration' }
>['declaration'];

function declaredNames(declaration: NonNullable<Declaration>): string[] {
  if (declaration.type === 'VariableDeclaration') {
    return declaration.declarations.flatMap(({ id }) => {
      if (id.type === 'Identifier') return [id.name];
      if (id.type !== 'ObjectPattern') throw new Error(`Unknown kind of export: ${id.type}`);
      return id.properties.flatMap(({ type, value }) =>
        type === 'Property' && value.type === 'Identifier' ? [value.name] : [],
      );
    });
  }
  if ('id' in declaration && declaration.id?.type === 'Identifier') return [declaration.id.name];
  throw new Error(`Unknown kind of export: ${declaration.type}`);
}

function docstringAbove(
  start: number,
  source: string,
  comments: readonly Comment[],
): string | null {
  const above = comments.findLast(({ end }) => end <= start);
  if (above === undefined || source.slice(above.end, start).trim() !== '') return null;
  // A lint directive applies to the next line, so it stands between the docstring and the export.
  if (above.value.trim().startsWith('oxlint-'))
    return docstringAbove(above.start, source, comments);
  if (above.type !== 'Block' || !above.value.startsWith('*')) return null;
  return above.value
    .slice(1)
    .replaceAll(/^\s*\* ?/gm, '')
    .trim();
}

const fillers = new Set('a an the of for to is are and in this type'.split(' '));

/** Words in lower case without plural and verb endings: those of `createLoaders` are `creat` and `loader`. */
function words(text: string): string[] {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && !fillers.has(word))
    .map((word) => word.replace(/(ies|es|s|e)$/, ''));
}

/** Whether the docstring has at least one word that the name does not have. */
function addsToName({ name, docstring }: ExportedSymbol): boolean {
  const known = new Set(words(name));
  return docstring !== null && words(docstring).some((word) => !known.has(word));
}

const nameOf = (name: ModuleExportName): string =>
  name.type === 'Literal' ? name.value : name.name;

/** The symbols of an entry point of the package, with the docstrings of the modules that declare them. */
async function packageExports(path: string): Promise<ExportedSymbol[]> {
  const source = await readFile(path, 'utf8');
  const symbols = exportedSymbols(path, source);
  for (const statement of parseSync(path, source).program.body) {
    if (statement.type !== 'ExportNamedDeclaration' || statement.source === null) continue;
    const module = await packageExports(resolve(dirname(path), statement.source.value));
    for (const { local, exported } of statement.specifiers) {
      const symbol = module.find(({ name }) => name === nameOf(local));
      if (symbol === undefined) throw new Error(`${path}: ${nameOf(local)} is not found`);
      symbols.push({ ...symbol, name: nameOf(exported) });
    }
  }
  return symbols;
}

// test/schema/schema.test.ts checks the descriptions of the schema.
it.for(['index.ts', 'clients/index.ts', 'schema/public.ts', 'testing/index.ts'])(
  'gives every export of %s a docstring that adds to its name',
  async (path) => {
    const symbols = await packageExports(join(root, 'src', path));
    expect(symbols).not.toEqual([]);
    expect(symbols.filter((symbol) => !addsToName(symbol)).map(({ name }) => name)).toEqual([]);
  },
);
