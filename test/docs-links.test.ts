import { glob, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
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

it('mentions only scripts of package.json', async () => {
  /** Those of this repository, of a folder with packages of its own, and of a package.json that the page shows. */
  const scriptsFor = async (page: string, shown: string): Promise<ReadonlySet<string>> => {
    const manifests = ['package.json', join(dirname(page), 'package.json')];
    const texts = await Promise.all(
      manifests.map((path) => readFile(join(root, path), 'utf8').catch(() => '{}')),
    );
    const [, manifest = '{}'] = /`package\.json`:\n\n```json\n([\s\S]*?)```/.exec(shown) ?? [];
    texts.push(manifest);
    return new Set(
      texts.flatMap((text) =>
        Object.keys((JSON.parse(text) as { scripts?: object }).scripts ?? {}),
      ),
    );
  };
  const named: string[] = [];
  const missing: string[] = [];
  for (const { path, text } of await pages()) {
    const scripts = await scriptsFor(path, text);
    for (const [, name] of text.matchAll(/npm run ([\w:-]+)/g)) {
      named.push(name!);
      if (!scripts.has(name!)) missing.push(`${path}: ${name!}`);
    }
  }
  expect(named).toContain('schema');
  expect(missing).toEqual([]);
});
