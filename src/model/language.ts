const MAX_TAG = 100;

/**
 * A language tag in lower case, followed by its less specific tags: `zh-hant-tw`, `zh-hant` and `zh` (RFC 4647, 3.4). A
 * tag of more than 100 characters, which names no language, is returned alone.
 */
export function lookupTags(tag: string): string[] {
  const subtags = tag.length > MAX_TAG ? [tag] : tag.toLowerCase().split('-');
  return subtags.map((_, i) => subtags.slice(0, subtags.length - i).join('-'));
}
