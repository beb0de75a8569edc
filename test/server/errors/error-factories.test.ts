import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const src = resolve(import.meta.dirname, '../../../src');

/** The files of `src` whose text matches. */
async function filesWith(pattern: RegExp): Promise<string[]> {
  const names = await readdir(src, { recursive: true });
  const found: string[] = [];
  for (const name of names.filter((one) => one.endsWith('.ts'))) {
    if (pattern.test(await readFile(join(src, name), 'utf8'))) found.push(name);
  }
  return found;
}

it('creates GraphQLErrors in one module', async () => {
  expect(await filesWith(/new GraphQLError\b/)).toEqual(['schema/graphql-error.ts']);
});

it('creates error extensions in one module', async () => {
  expect(await filesWith(/extensions: \{ code\b.*requestId/)).toEqual([]);
  expect(await filesWith(/function clientErrorExtensions\b/)).toEqual([
    'server/errors/client-error.ts',
  ]);
});
