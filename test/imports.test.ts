import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** Which modules a module can import, besides itself and `model`. A path denotes one file of a module. */
const allowed: Record<string, readonly string[]> = {
  model: [],
  rest: [],
  loaders: ['rest/index.ts'],
  context: ['rest/index.ts', 'loaders'],
  schema: ['context', 'rest/index.ts'],
  server: [
    'config/read-config.ts',
    'config/setting-parsers.ts',
    'schema',
    'context',
    'rest/index.ts',
  ],
  config: [],
  features: [
    'config',
    'context',
    'loaders/document-loader.ts',
    'rest/index.ts',
    'schema',
    'server',
  ],
  // What a team adds to the gateway.
  'gateway-config': [
    'config',
    'features/index.ts',
    'features/settings.ts',
    'rest/index.ts',
    'schema',
    'server',
  ],
  startup: [
    'config',
    'features',
    'gateway-config',
    'rest/index.ts',
    'schema/extend.ts',
    'schema/index.ts',
    'schema/print.ts',
    'server',
    'sandbox/index.ts',
  ],
  main: ['config', 'features', 'rest/index.ts', 'server', 'startup'],
  // The exports of the package.
  index: [
    'config',
    'context',
    'features/settings.ts',
    'gateway-config',
    'schema/builder.ts',
    'server',
    'startup',
    'sandbox/index.ts',
  ],
  clients: [],
  testing: [
    'features/index.ts',
    'features/settings.ts',
    'context',
    'gateway-config',
    'rest/index.ts',
    'schema',
    'server',
  ],
  sandbox: [],
};

/**
 * The layers of a module, lowest first. A file imports only from its own layer and lower ones. Files without an entry
 * are in layer `''`.
 */
const layers: Record<string, readonly (readonly string[])[]> = {
  rest: [
    ['client/transport/'],
    ['client/observer.ts', 'client/caller.ts', 'client/rest-error.ts', 'client/writes.ts'],
    ['client/dms-variants.ts', 'client/limits/'],
    ['client/call/'],
    ['client/transfer/'],
    ['client/http-client.ts'],
    ['wire/'],
    ['resources/'],
    ['dms.ts'],
    ['index.ts'],
  ],
  schema: [
    [
      'plan/',
      'graphql-copy.ts',
      'graphql-error.ts',
      'hints-plugin.ts',
      'json-size.ts',
      'libraries.ts',
      'print.ts',
      'search.ts',
    ],
    ['builder.ts'],
    ['input/', 'paging/', 'ids.ts', 'related-objects.ts', 'workflow-action.ts'],
    ['refs.ts', 'translated-text.ts'],
    [''], // the types
    ['index.ts', 'extend.ts', 'public.ts'],
  ],
  server: [
    ['errors/'],
    ['http/', 'telemetry/'],
    ['identity/'],
    ['files/', 'command.ts', 'feature.ts'],
    ['graphql/'],
    ['endpoints.ts'],
    ['gateway.ts'],
  ],
};

/** Which features a feature can import. */
const featureImports: Record<string, readonly string[]> = {
  agents: ['persisted-documents'],
};

/** `src/features/federation/index.ts` is of `federation`. Null for what is of no feature. */
const featureOf = (path: string): string | null =>
  /^src\/features\/([^/]+)\//.exec(path)?.[1] ?? null;

interface Import {
  readonly from: string;
  readonly to: string;
}

let imports: readonly Import[] = [];

beforeAll(async () => {
  imports = await readImports();
});

/** Every relative import of `src` and `sandbox`, including type-only and dynamic ones. */
async function readImports(): Promise<Import[]> {
  const files = (
    await Promise.all(
      ['src', 'sandbox'].map((folder) =>
        readdir(join(root, folder), { recursive: true }).then((names) =>
          names.filter((name) => name.endsWith('.ts')).map((name) => join(root, folder, name)),
        ),
      ),
    )
  ).flat();
  const found = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(file, 'utf8');
      const specifiers = text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
      return [...specifiers].map(([, specifier]) => ({
        from: relative(root, file),
        to: relative(root, resolve(dirname(file), specifier!)),
      }));
    }),
  );
  return found.flat();
}

/** `src/rest/wire/person.ts` is in `rest`; `src/main.ts` is `main`. */
const moduleOf = (path: string): string =>
  path.startsWith('sandbox/') ? 'sandbox' : path.split('/')[1]!.replace(/\.ts$/, '');

const withoutSrc = (path: string): string => path.replace(/^src\//, '');

/** Position of a file's layer in its module; -1 if the module has no layers or none for this file. */
function layerOf(path: string): number {
  const module = moduleOf(path);
  const inside = withoutSrc(path).slice(module.length + 1);
  const list = layers[module] ?? [];
  const named = list.findIndex((layer) =>
    layer.some((entry) => entry !== '' && (inside === entry || inside.startsWith(entry))),
  );
  return named >= 0 ? named : list.findIndex((layer) => layer.includes(''));
}

/** The GraphQL type that a file of `schema` implements: its directory or its own name. Null for other files. */
function typeOf(path: string): string | null {
  const isType = moduleOf(path) === 'schema' && layers['schema']![layerOf(path)]?.includes('');
  return isType ? path.split('/')[2]! : null;
}

describe('imports', () => {
  it('keep their direction between modules', () => {
    const wrong = imports.filter(({ from, to }) => {
      const [module, other] = [moduleOf(from), moduleOf(to)];
      if (module === other || other === 'model') return module === 'sandbox' && other === 'model';
      const names = allowed[module] ?? [];
      return !names.includes(other) && !names.includes(withoutSrc(to));
    });
    expect(wrong).toEqual([]);
  });

  it('are of one feature only, by its index from the list', () => {
    const wrong = imports.filter(({ from, to }) => {
      const [feature, other] = [featureOf(from), featureOf(to)];
      if (other === null || feature === other) return false;
      if (feature !== null) return !featureImports[feature]?.includes(other);
      return from !== 'src/features/index.ts' || !to.endsWith('/index.ts');
    });
    expect(wrong).toEqual([]);
  });

  it('keep their direction between layers', () => {
    const wrong = imports.filter(
      ({ from, to }) => moduleOf(from) === moduleOf(to) && layerOf(from) < layerOf(to),
    );
    expect(wrong).toEqual([]);
  });

  it('lead only to layers with a name', () => {
    const files = new Set(imports.flatMap(({ from, to }) => [from, to]));
    const unnamed = [...files].filter((file) => moduleOf(file) in layers && layerOf(file) < 0);
    expect(unnamed).toEqual([]);
  });

  it('do not lead from one GraphQL type to another', () => {
    const wrong = imports.filter(({ from, to }) => {
      const [type, other] = [typeOf(from), typeOf(to)];
      return type !== null && other !== null && type !== other;
    });
    expect(wrong).toEqual([]);
  });
});

it('keeps names of the REST API in the wire modules', async () => {
  // In backticks they are part of descriptions and comments, which can mention the source of a value.
  const spellings =
    /(?<![`\w])(_id_web|_id_kf|_id_ext|_id_sys|itearation|kfunid|valuedata|elhead|elmembers|doccf|docsf|taskstatus|filesList)(?![`\w\\])/;
  const names = await readdir(join(root, 'src'), { recursive: true });
  const wrong: string[] = [];
  for (const name of names.filter((name) => name.endsWith('.ts') && !name.includes('rest/wire/'))) {
    if (spellings.test(await readFile(join(root, 'src', name), 'utf8'))) wrong.push(name);
  }
  expect(wrong).toEqual([]);
});

it('visits selection sets of operations only to plan them', async () => {
  const names = await readdir(join(root, 'src'), { recursive: true });
  const visiting =
    /selectionSet|SelectionSet|\.selections\b|collectFields|\bvisit(WithTypeInfo)?\(/;
  const wrong: string[] = [];
  for (const name of names.filter((name) => name.endsWith('.ts'))) {
    if (name.includes('schema/plan/') || name.endsWith('-plan.ts')) continue;
    if (visiting.test(await readFile(join(root, 'src', name), 'utf8'))) wrong.push(name);
  }
  expect(wrong).toEqual([]);
});
