import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { singleValue } from './header-values.ts';

/** A member or item that is a number of 16 digits or with an exponent, or a text that contains the same characters. */
const longNumber = /[:[,]\s*-?\d(?:\d{15}|[\d.]*e)/i;
const isContainer = /^\s*[[{]/;

/**
 * Parses JSON as `JSON.parse` does, except that numbers beyond 2^53, which would lose digits, become their text.
 *
 * @throws {TypeError} if the bytes are not UTF-8, the only encoding of JSON (RFC 8259, section 8.1)
 * @throws {SyntaxError} if they are not JSON
 */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new TypeError('The bytes are not UTF-8.');
  const text = bytes.toString().replace(/^\ufeff/, '');
  // Reading the source of each number takes seven times as long.
  const isPlain = isContainer.test(text) && !longNumber.test(text);
  return isPlain ? JSON.parse(text) : JSON.parse(text, withAllDigits);
}

/** @param context has the source of a value that is no container */
function withAllDigits(
  _key: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  const losesDigits = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
  return losesDigits ? (context?.source ?? value) : value;
}

/**
 * A text in its declared character set, by default UTF-8, without a byte order mark.
 *
 * @throws {TypeError | RangeError} if the bytes are not in the character set, or it is unknown
 */
export function textFrom(headers: IncomingHttpHeaders, body: Buffer): string {
  const type = singleValue(headers, 'content-type') ?? '';
  const charset = /;\s*charset\s*=\s*["']?([^\s"';,]+)/i.exec(type)?.[1] ?? 'utf-8';
  // Some servers declare every text as ASCII, which is a part of UTF-8.
  const name = /^(?:us-)?ascii$/i.test(charset) ? 'utf-8' : charset;
  return new TextDecoder(name, { fatal: true }).decode(body);
}
