import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { lookupTags } from '../../model/common.ts';

const known = new LRUCache<string, readonly string[]>({ max: 500 });
const none: readonly string[] = [];

/**
 * Returns the languages of an Accept-Language header in lower case, most preferred first, each followed by its less
 * specific tags: `pt-br` and `pt`. `*` and `q=0` are ignored. Empty without a header.
 */
export function languagesOf(header: string | undefined): readonly string[] {
  if (header === undefined || header.length > 500) return none;
  let languages = known.get(header);
  if (languages === undefined) {
    const ranges = new Negotiator({ headers: { 'accept-language': header } }).languages();
    const tags = ranges.flatMap((range) => /^[a-z]+(?:-[a-z\d]+)*/i.exec(range) ?? []);
    languages = [...new Set(tags.flatMap(lookupTags))];
    known.set(header, languages);
  }
  return languages;
}
