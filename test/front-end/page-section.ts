import { lexer } from 'marked';

/** A section of a page with the files and commands that a reader copies. */
export interface PageSection {
  readonly heading: string;
  /** Text by path. */
  readonly files: ReadonlyMap<string, string>;
  /** Lines of the code blocks in `sh`, in order; a line that ends with a backslash goes on. */
  readonly commands: readonly string[];
}

/**
 * Reads the sections of a page. A code block belongs to a file if the paragraph above it consists of the path:
 * `` `src/app.tsx`: ``. Throws on a code block that is neither a file nor in `sh`.
 */
export function readSections(markdown: string): PageSection[] {
  const sections: { heading: string; files: Map<string, string>; commands: string[] }[] = [];
  let path: string | undefined;
  for (const token of lexer(markdown)) {
    if (token.type === 'space') continue;
    if (token.type === 'heading') {
      sections.push({ heading: String(token['text']), files: new Map(), commands: [] });
    }
    if (token.type === 'code') {
      const { files, commands } = sections.at(-1)!;
      if (path !== undefined) files.set(path, `${token['text']}\n`);
      else if (token['lang'] === 'sh') commands.push(...String(token['text']).split(/(?<!\\)\n/));
      else throw new Error(`a code block without a path: ${token['text']}`);
    }
    path = token.type === 'paragraph' ? /^`([\w./-]+)`:$/.exec(token['text'])?.[1] : undefined;
  }
  return sections;
}
