/** What a JSON value can be found to be; the first that holds. */
export type JsonSize = 'fits' | 'tooLong' | 'tooDeep';

/** Far deeper than data is; V8 writes some thousand levels before its stack ends. */
const maxLevels = 500;

/**
 * Whether the JSON of a value has at most `maxLength` characters and 500 levels. It stops as soon as it knows, so that
 * a value that is much too long costs no more than one that is just too long. It never counts too many: a number and
 * each character that JSON escapes count as one.
 */
export function checkJsonSize(value: unknown, maxLength: number): JsonSize {
  const left = remaining(value, maxLength, maxLevels);
  if (left >= 0) return 'fits';
  return left === -Infinity ? 'tooDeep' : 'tooLong';
}

/** What is left of `left` characters; below 0 when they do not suffice, and -Infinity below the last level. */
function remaining(value: unknown, left: number, levels: number): number {
  if (typeof value !== 'object' || value === null) return left - lengthOf(value);
  if (levels === 0) return -Infinity;
  let rest = left - 1;
  // Most of what is walked is strings and numbers: they are counted here, without a call for each.
  if (Array.isArray(value)) {
    rest -= value.length;
    for (let i = 0; i < value.length && rest >= 0; i += 1) {
      const item: unknown = value[i];
      if (typeof item === 'string') rest -= item.length + 2;
      else if (typeof item === 'object' && item !== null) rest = remaining(item, rest, levels - 1);
      else rest -= lengthOf(item);
    }
    return rest;
  }
  // All of these objects are data: the executor's, or made by JSON.parse. None inherits anything.
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    rest -= key.length + 4;
    if (typeof member === 'string') rest -= member.length + 2;
    else if (typeof member === 'object' && member !== null)
      rest = remaining(member, rest, levels - 1);
    else rest -= lengthOf(member);
    if (rest < 0) return rest;
  }
  return rest;
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  return value === null || typeof value === 'boolean' ? 4 : 1;
}
