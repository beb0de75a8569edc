/** The result of checking a JSON value: the first violated limit, or `fits`. */
export type JsonSize = 'fits' | 'tooLong' | 'tooDeep';

/** Maximum nesting, far deeper than real data. V8 serializes some thousand levels before the stack overflows. */
const maxLevels = 500;

/**
 * Checks that the JSON of a value has at most `maxLength` characters and 500 levels. It stops as soon as the limit is
 * exceeded, so the cost is bounded. The count is a lower bound: numbers and escaped characters count as one character.
 */
export function checkJsonSize(value: unknown, maxLength: number): JsonSize {
  const left = remaining(value, maxLength, maxLevels);
  if (left >= 0) return 'fits';
  return left === -Infinity ? 'tooDeep' : 'tooLong';
}

/** The remainder of `left` characters: negative if they are exceeded, and -Infinity if the nesting is too deep. */
function remaining(value: unknown, left: number, levels: number): number {
  if (typeof value !== 'object' || value === null) return left - lengthOf(value);
  if (levels === 0) return -Infinity;
  let rest = left - 1;
  // Strings and numbers are the most frequent values, so they are counted here without a function call.
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
  // All objects are plain data of the executor or of JSON.parse, without inherited properties.
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

/**
 * The most bytes that one character of `checkJsonSize` can take: a number counts as one character. A character of text
 * takes at most six bytes.
 */
export const maxBytesPerCharacter = 24;

/**
 * Checks that the JSON of a value has at most `maxBytes` bytes in UTF-8 and 500 levels. It reads each character, so it
 * takes about as long as serializing the value.
 */
export function checkJsonBytes(value: unknown, maxBytes: number): JsonSize {
  const left = remainingBytes(value, maxBytes, maxLevels);
  if (left >= 0) return 'fits';
  return left === -Infinity ? 'tooDeep' : 'tooLong';
}

/** As `remaining`, in bytes. */
function remainingBytes(value: unknown, left: number, levels: number): number {
  if (typeof value === 'string') return value.length > left ? -1 : left - bytesOf(value);
  if (typeof value !== 'object' || value === null) return left - String(value).length;
  if (levels === 0) return -Infinity;
  let rest = left - 2;
  if (Array.isArray(value)) {
    rest -= Math.max(0, value.length - 1);
    for (let i = 0; i < value.length && rest >= 0; i += 1) {
      rest = remainingBytes(value[i], rest, levels - 1);
    }
    return rest;
  }
  let members = 0;
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    const separators = members === 0 ? 1 : 2; // a colon, and a comma between members
    rest = remainingBytes(member, rest - bytesOf(key) - separators, levels - 1);
    if (rest < 0) return rest;
    members += 1;
  }
  return rest;
}

const notPlain = /[^ !#-[\]-~]/;
const asciiBytes = Uint8Array.from({ length: 128 }, (_, code) => {
  return JSON.stringify(String.fromCharCode(code)).length - 2;
});
/** An escape has six bytes, but V8 takes as long for it as for this number of other bytes. */
const bytesOfUnpairedSurrogate = 24;

/** The length of a text as JSON, in bytes. */
function bytesOf(text: string): number {
  let bytes = text.length + 2;
  if (!notPlain.test(text)) return bytes;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.codePointAt(i)!;
    if (code < 0x80) bytes += asciiBytes[code]! - 1;
    else if (code < 0x800) bytes += 1;
    else if (code > 0xffff) {
      bytes += 2;
      i += 1;
    } else bytes += code < 0xd800 || code > 0xdfff ? 2 : bytesOfUnpairedSurrogate - 1;
  }
  return bytes;
}
