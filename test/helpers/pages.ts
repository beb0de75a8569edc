import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import GithubSlugger from 'github-slugger';
import { lexer, walkTokens, type Token } from 'marked';

export interface Page {
  /** Relative to the root. */
  readonly path: string;
  readonly text: string;
  /** Targets of links and images, as written. */
  readonly links: readonly string[];
  /** The anchors of its headings, as GitHub derives them. */
  readonly anchors: ReadonlySet<string>;
}

export async function readPage(root: string, path: string): Promise<Page> {
  const links: string[] = [];
  const anchors = new Set<string>();
  const slugger = new GithubSlugger();
  const text = await readFile(join(root, path), 'utf8');
  void walkTokens(lexer(text), (token) => {
    if (token.type === 'link' || token.type === 'image') links.push(String(token['href']));
    if (token.type === 'heading') anchors.add(slugger.slug(plainText(token.tokens ?? [])));
  });
  return { path, text, links, anchors };
}

/** The text of a heading without markup. */
function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) =>
      'tokens' in token && token.tokens
        ? plainText(token.tokens)
        : String('text' in token ? token['text'] : ''),
    )
    .join('');
}

/** The links of pages to files and headings that do not exist. */
export function brokenLinks(root: string, pages: readonly Page[]): string[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  return pages.flatMap(({ path, links }) =>
    links
      .filter((link) => !/^[a-z]+:/i.test(link))
      .filter((link) => {
        const [file = '', anchor] = link.split('#');
        const target = file === '' ? path : relative(root, resolve(root, dirname(path), file));
        if (!existsSync(join(root, target))) return true;
        return anchor !== undefined && byPath.get(target)?.anchors.has(anchor) !== true;
      })
      .map((link) => `${path}: ${link}`),
  );
}
