import { readFile } from 'node:fs/promises';
import type { UploadedFile } from '../upload.ts';

const maxIndexedBytes = 1024 * 1024;
const linesPerPage = 60;
/** Each page is a row, and a page of the PDF that is rendered in one piece. */
const maxPages = 1000;

/**
 * Returns the text of uploaded files by page, at most 1,000 pages. Text files up to 1 MiB are split at form feeds or
 * every 60 lines. There is no recognition of images or PDFs.
 */
export async function pageTextsIn(files: readonly UploadedFile[]): Promise<string[]> {
  const pages: string[] = [];
  for (const { name, received } of files) {
    const isText = /\.(txt|md|csv|tsv|json|xml|html?|log)$/i.test(name);
    if (!isText || received.size === 0 || received.size > maxIndexedBytes) continue;
    const text = await readFile(received.tempPath, 'utf8');
    const found = text.includes('\f') ? text.split('\f') : inPages(text);
    pages.push(...found.slice(0, maxPages - pages.length));
  }
  return pages;
}

function inPages(text: string): string[] {
  const lines = text.split(/\r?\n/);
  const pages: string[] = [];
  for (let start = 0; start < lines.length; start += linesPerPage) {
    pages.push(lines.slice(start, start + linesPerPage).join('\n'));
  }
  return pages;
}
