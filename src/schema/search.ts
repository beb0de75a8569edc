import { setImmediate as nextIteration } from 'node:timers/promises';
import type { GatewayContext } from '../context.ts';
import { badInput } from './graphql-error.ts';

export const maxSearchLength = 256;

export function searchWords(search: string | null | undefined): readonly string[] {
  if (search == null) return [];
  if (search.length > maxSearchLength) {
    throw badInput(`\`search\` can have at most ${maxSearchLength} characters.`);
  }
  return folded(search).split(/\s+/).filter(Boolean);
}

export interface SearchedTexts {
  readonly key: object;
  readonly texts: Iterable<string>;
}

export async function search<T>(
  items: readonly T[],
  words: readonly string[],
  textsOf: (item: T) => readonly SearchedTexts[],
  { budget }: GatewayContext['dms'],
): Promise<T[]> {
  const steps = new Steps();
  const found: T[] = [];
  for (const item of items) {
    const texts: string[] = [];
    for (const searched of textsOf(item)) texts.push(await foldedOnce(searched, steps));
    let missing = false;
    for (const word of words) {
      await steps.pause();
      missing = !texts.some((text) => text.includes(word));
      if (missing) break;
    }
    if (!missing) found.push(item);
    const endReason = budget.endReason(null);
    if (endReason !== null) throw endReason;
  }
  return found;
}

const maxStepMs = 10;
let lastStep: Promise<unknown> = Promise.resolve();

class Steps {
  #endAt = 0;

  async pause(): Promise<void> {
    if (performance.now() < this.#endAt) return;
    lastStep = lastStep.then(() => nextIteration());
    await lastStep;
    this.#endAt = performance.now() + maxStepMs;
  }
}

const foldedTexts = new WeakMap<object, Promise<string>>();

function foldedOnce(searched: SearchedTexts, steps: Steps): Promise<string> {
  const { key } = searched;
  const text = foldedTexts.get(key) ?? foldAll(searched, steps);
  foldedTexts.set(key, text);
  return text;
}

/** NFKD sorts the marks of a letter, in a time that grows with the square of their number. bench/NOTES.md */
const foldedLength = 512;

async function foldAll({ texts }: SearchedTexts, steps: Steps): Promise<string> {
  let all = '';
  let left = '';
  for (const text of texts) {
    left += `${text}\n`; // a word never matches across it
    while (left.length > foldedLength) {
      await steps.pause();
      const [part, rest] = cut(left);
      all += folded(part);
      left = rest;
    }
  }
  await steps.pause();
  return all + folded(left);
}

function cut(text: string): [string, string] {
  const isPair = /^[\uDC00-\uDFFF]/.test(text.charAt(foldedLength));
  const end = isPair ? foldedLength - 1 : foldedLength;
  return [text.slice(0, end), text.slice(end)];
}

/** Accents, points of Hebrew and Arabic, variants of emoji. Marks of other scripts are letters. */
const accents = /[\p{M}&&[\p{Script=Inherited}\p{Script=Hebrew}]]/gv;

/**
 * Text for comparison: without case and accents. NFKD separates accents from letters. Upper case makes `ß` equal to `ss`,
 * and lower case before it `ẞ` equal to `ß`.
 */
function folded(text: string): string {
  if (/^\p{ASCII}*$/u.test(text)) return text.toUpperCase();
  return text.normalize('NFKD').replaceAll(accents, '').toLowerCase().toUpperCase();
}
