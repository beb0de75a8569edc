import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseSync, type Comment, type ModuleExportName, type Program } from 'oxc-parser';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');

interface ExportedSymbol {
  readonly name: string;
  /** Whether there is one directly above the export. */
  readonly hasDocstring: boolean;
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
    const hasDocstring = isBelowDocstring(statement.start, source, comments);
    for (const name of declaredNames(statement.declaration)) {
      // The docstring of an overloaded function stands above its first signature.
      if (!found.has(name)) found.set(name, { name, hasDocstring });
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

function isBelowDocstring(start: number, source: string, comments: readonly Comment[]): boolean {
  const above = comments.findLast(({ end }) => end <= start);
  if (above === undefined || source.slice(above.end, start).trim() !== '') return false;
  // A lint directive applies to the next line, so it stands between the docstring and the export.
  if (above.value.trim().startsWith('oxlint-'))
    return isBelowDocstring(above.start, source, comments);
  return above.type === 'Block' && above.value.startsWith('*');
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
  'gives every export of %s a docstring',
  async (path) => {
    const symbols = await packageExports(join(root, 'src', path));
    expect(symbols).not.toEqual([]);
    expect(symbols.filter(({ hasDocstring }) => !hasDocstring).map(({ name }) => name)).toEqual([]);
  },
);
