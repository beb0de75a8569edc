import { LRUCache } from 'lru-cache';

const known = new LRUCache<string, readonly string[]>({ max: 500 });
const none: readonly string[] = [];

/** The short names of an Accept-Language header, the preferred first; `*` and `q=0` say nothing. */
export function languagesOf(header: string | undefined): readonly string[] {
  if (header === undefined || header.length > 500) return none;
  let languages = known.get(header);
  if (languages === undefined) {
    languages = parse(header);
    known.set(header, languages);
  }
  return languages;
}

function parse(header: string): string[] {
  const wishes = header.split(',').map((part) => {
    const [range = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase());
    const quality = parameters.find((one) => one.startsWith('q='))?.slice(2);
    return { name: /^[a-z]+/.exec(range)?.[0] ?? '', quality: Number(quality ?? 1) };
  });
  const wanted = wishes.filter(({ name, quality }) => name !== '' && quality > 0);
  return [...new Set(wanted.toSorted((a, b) => b.quality - a.quality).map(({ name }) => name))];
}
