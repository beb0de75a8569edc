export type JsonSize = 'fits' | 'tooLong' | 'tooDeep';

/** Maximum nesting, far deeper than real data. V8 serializes some thousand levels before the stack overflows. */
const maxLevels = 500;

/**
 * Checks that the JSON of a value has at most `maxLength` characters and 500 levels. It stops as soon as the limit is
 * exceeded, so the cost is bounded. The count is a lower bound: numbers, and escaped characters of short texts, count as one
 * character.
 */
export function checkJsonSize(value: unknown, maxLength: number): JsonSize {
  const left = remaining(value, maxLength, maxLevels);
  if (left >= 0) return 'fits';
  return left === -Infinity ? 'tooDeep' : 'tooLong';
}

function remaining(value: unknown, left: number, levels: number): number {
  if (typeof value !== 'object' || value === null) return left - lengthOf(value);
  if (levels === 0) return -Infinity;
  let rest = left - 1;
  // Strings and numbers are the most frequent values, so they are counted here without a function call.
  if (Array.isArray(value)) {
    rest -= value.length;
    for (let i = 0; i < value.length && rest >= 0; i += 1) {
      const item: unknown = value[i];
      if (typeof item === 'string') rest -= lengthOfText(item);
      else if (typeof item === 'object' && item !== null) rest = remaining(item, rest, levels - 1);
      else rest -= lengthOf(item);
    }
    return rest;
  }
  // All objects are plain data of the executor or of JSON.parse, without inherited properties.
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    rest -= key.length + 4;
    if (typeof member === 'string') rest -= lengthOfText(member);
    else if (typeof member === 'object' && member !== null)
      rest = remaining(member, rest, levels - 1);
    else rest -= lengthOf(member);
    if (rest < 0) return rest;
  }
  return rest;
}

const maxShortText = 100;

/** A character can be escaped by six. Serializing hundreds of long texts of such characters would take a second. */
function lengthOfText(text: string): number {
  return text.length > maxShortText ? JSON.stringify(text).length : text.length + 2;
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return lengthOfText(value);
  return value === null || typeof value === 'boolean' ? 4 : 1;
}
