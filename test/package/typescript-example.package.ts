/** @module-tag nightly */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { root, run, runWell } from './run-program.ts';

/* The commands of examples/typescript/README.md, in a copy of the example without generated files. */

let example = '';

beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'typescript-example-'));
  example = join(directory, 'examples/typescript');
  cpSync(join(root, 'schema.graphql'), join(directory, 'schema.graphql'));
  cpSync(join(root, 'examples/typescript'), example, {
    recursive: true,
    filter: (path) => !/^(node_modules|generated|graphql-env\.d\.ts)$/.test(basename(path)),
  });
  await runWell(example, 'npm', 'ci');
  await runWell(example, 'npm', 'run', 'generate');
  return () => rmSync(directory, { recursive: true, force: true });
});

/** Replaces a text that occurs in a file of the example, until the test ends. */
function edit(path: string, from: string, to: string): void {
  const file = join(example, path);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replaceAll(from, to));
  onTestFinished(() => writeFileSync(file, text));
}

describe('the TypeScript example', () => {
  it('passes its checks', async () => {
    expect(await runWell(example, 'npm', 'run', 'check')).toContain('No problems found');
  });

  it('passes its tests', async () => {
    expect(await runWell(example, 'npm', 'test')).toMatch(/Tests +4 passed \(4\)/);
  });

  it('rejects a misspelt field in a document of GraphQL Code Generator', async () => {
    edit('src/codegen/inbox.ts', 'totalCount', 'totalCuont');
    const { code, output } = await run(example, 'npm', 'run', 'generate');
    expect(code).not.toBe(0);
    expect(output).toContain('Cannot query field "totalCuont" on type "DocumentConnection"');
  });

  it('rejects a misspelt field in a document of gql.tada', async () => {
    edit('src/tada/inbox.ts', 'totalCount', 'totalCuont');
    const { code, output } = await run(example, 'npm', 'run', 'check');
    expect(code).not.toBe(0);
    expect(output).toContain('Cannot query field "totalCuont" on type "DocumentConnection"');
  });
});
