import { readFileSync } from 'node:fs';

/** The fenced block of a page of docs/ after the marker of this name. */
export function blockOf(page: string, name: string): string {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
  const [, block] = new RegExp(`<!-- ${name} -->\\s+\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(text)!;
  return block!;
}
