import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { addressOf, spawnGateway } from '../helpers/process.ts';
import { root, run, runWell } from '../package/run-program.ts';

/* clients/: a project that reads and writes the forms of a configuration with several clients. */

let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'typed-forms-'));
  await cp(join(import.meta.dirname, 'clients'), directory, { recursive: true });
  await Promise.all([
    runWell(directory, 'npm', 'install', '--no-audit', '--no-fund', inject('tarball')),
    runNode('src/start.mjs', 'forms', '--out', join(directory, 'forms.json')),
  ]);
  const config = ['--config', join(directory, 'gateway.config.ts')];
  await runNode('scripts/print-schema.ts', ...config, '--out', join(directory, 'schema.graphql'));
  return () => rm(directory, { recursive: true });
});

/** Runs a program of this repository, whose sandbox has its data in the directory. */
const runNode = (...args: readonly string[]): Promise<string> =>
  runWell(root, 'env', `DATA_DIR=${join(directory, 'data')}`, process.execPath, ...args);

/** Replaces a text that occurs once in a file, until the test ends. */
async function edit(path: string, from: string, to: string): Promise<void> {
  const file = join(directory, path);
  const text = await readFile(file, 'utf8');
  expect(text.split(from)).toHaveLength(2);
  await writeFile(file, text.replace(from, to));
  onTestFinished(() => writeFile(file, text));
}

type Command = readonly [string, ...string[]];
const codegen: Command = ['graphql-codegen'];
const tadaOptions = ['--tsconfig', 'src/tada/tsconfig.json'];
const relayCompiler: Command = ['relay-compiler', '--noWatchman'];
const unknownField = 'Cannot query field "totl" on type "InvoiceFields".';

interface ClientProject {
  readonly folder: string;
  /** The file with its query documents. */
  readonly documents: string;
  readonly generate: Command;
  /** Checks the documents. */
  readonly check: Command;
  /** What the check says of a field that the form does not have. */
  readonly rejection: string;
}

const clients: readonly (readonly [string, ClientProject])[] = [
  [
    'Apollo Client with GraphQL Code Generator',
    {
      folder: 'apollo',
      documents: 'documents.ts',
      generate: codegen,
      check: codegen,
      rejection: unknownField,
    },
  ],
  [
    'urql with graphcache',
    {
      folder: 'urql',
      documents: 'documents.ts',
      generate: codegen,
      check: codegen,
      rejection: unknownField,
    },
  ],
  [
    'gql.tada',
    {
      folder: 'tada',
      documents: 'tada/main.ts',
      generate: ['gql.tada', 'generate-output', ...tadaOptions],
      check: ['gql.tada', 'check', ...tadaOptions],
      rejection: unknownField,
    },
  ],
  [
    'Relay',
    {
      folder: 'relay',
      documents: 'relay/documents.ts',
      generate: relayCompiler,
      check: relayCompiler,
      rejection: 'The type `InvoiceFields` has no field `totl`.',
    },
  ],
];

describe.each(clients)('%s', (_name, { folder, documents, generate, check, rejection }) => {
  it('reads and writes a form, and reports nothing to the console', async () => {
    const dataDir = join(directory, `data-${folder}`);
    const config = join(directory, 'gateway.config.ts');
    const gateway = spawnGateway({ DATA_DIR: dataDir }, '--config', config);
    await runWell(directory, ...generate);
    await runWell(directory, 'tsc', '-p', `src/${folder}`);
    const bundle = `${folder}.cjs`;
    const options = ['--bundle', '--platform=node', '--log-level=error', `--outfile=${bundle}`];
    await runWell(directory, 'esbuild', `src/${folder}/main.ts`, ...options);
    const url = `${await addressOf(gateway)}/graphql`;
    const output = await runWell(directory, process.execPath, bundle, url);
    expect(JSON.parse(output)).toEqual({
      created: '12345678901234567890.10',
      invoice: {
        total: '12345678901234567890.10',
        dueDate: '2026-03-01',
        supplier: { id: expect.any(String), name: 'Nordlicht Papier GmbH' },
        items: [{ article: 'Paper', quantity: '2', amount: '25.80' }],
      },
    });
  });

  it('does not compile a field that the form does not have', async () => {
    await edit(`src/${documents}`, '  total\n        dueDate', '  totl\n        dueDate');
    const { code, output } = await run(directory, ...check);
    expect(code).not.toBe(0);
    expect(output).toContain(rejection);
  });

  it('does not compile code that reads such a field', async () => {
    await edit(`src/${folder}/main.ts`, 'created?.total', 'created?.totl');
    const { code, output } = await run(directory, 'tsc', '-p', `src/${folder}`);
    expect(code).not.toBe(0);
    expect(output).toMatch(/error TS\d+: Property 'totl' does not exist/);
  });
});
