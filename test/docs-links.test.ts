import { glob } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { brokenLinks, readPage, type Page } from './helpers/pages.ts';

const root = resolve(import.meta.dirname, '..');

async function pages(): Promise<Page[]> {
  const paths: string[] = [];
  const exclude = (name: string): boolean => /(^|\/)node_modules$/.test(name);
  for await (const path of glob('{*,{.github,docs,sandbox,examples,bench}/**/*}.md', {
    cwd: root,
    exclude,
  })) {
    paths.push(path);
  }
  expect(paths).toContain('README.md');
  expect(paths).toContain('docs/README.md');
  return Promise.all(paths.toSorted().map((path) => readPage(root, path)));
}

it('links only to files and headings that exist', async () => {
  expect(brokenLinks(root, await pages())).toEqual([]);
});

it('lists every page of docs/ in its index', async () => {
  const all = await pages();
  const index = all.find(({ path }) => path === 'docs/README.md')!;
  const linked = new Set(index.links.map((link) => `docs/${link.split('#')[0]}`));
  const missing = all
    .map(({ path }) => path)
    .filter((path) => path.startsWith('docs/') && path !== index.path && !linked.has(path));
  expect(missing).toEqual([]);
});
