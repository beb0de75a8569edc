import { readdirSync, readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { compileRelay } from './relay-project.ts';

it('relay-compiler takes connections, refetched fragments, nodes and a mutation', async () => {
  const folder = new URL('relay/', import.meta.url);
  const documents = readdirSync(folder).map((name) => [
    name.replace('.graphql', ''),
    readFileSync(new URL(name, folder), 'utf8'),
  ]);
  const { stdout, stderr, remove } = await compileRelay(Object.fromEntries(documents));
  onTestFinished(remove);
  expect(stderr).toBe('');
  expect(stdout).toContain('Compilation completed.');
  expect(stdout).not.toMatch(/warn|error/i);
});
