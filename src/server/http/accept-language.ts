import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

const known = new LRUCache<string, readonly string[]>({ max: 500 });
const none: readonly string[] = [];

/**
 * Returns the primary subtags of an Accept-Language header, such as `en`, most preferred first. `*` and `q=0` are
 * ignored. Empty without a header.
 */
export function languagesOf(header: string | undefined): readonly string[] {
  if (header === undefined || header.length > 500) return none;
  let languages = known.get(header);
  if (languages === undefined) {
    const ranges = new Negotiator({ headers: { 'accept-language': header } }).languages();
    const names = ranges.map((range) => /^[a-z]+/.exec(range.toLowerCase())?.[0] ?? '');
    languages = [...new Set(names.filter((name) => name !== ''))];
    known.set(header, languages);
  }
  return languages;
}
