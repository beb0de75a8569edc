import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { singleValue } from './header-values.ts';

const longNumber = /[:[,]\s*-?\d(?:\d{15}|[\d.]*e)/i;
const isContainer = /^\s*[[{]/;

/** Parses JSON as `JSON.parse` does, except that numbers beyond 2^53, which would lose digits, become their text. */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new TypeError('The bytes are not UTF-8.');
  const text = bytes.toString().replace(/^\ufeff/, '');
  // Reading the source of each number takes seven times as long.
  const isPlain = isContainer.test(text) && !longNumber.test(text);
  return isPlain ? JSON.parse(text) : JSON.parse(text, withAllDigits);
}

function withAllDigits(
  _key: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  const losesDigits = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
  return losesDigits ? (context?.source ?? value) : value;
}

export function textFrom(headers: IncomingHttpHeaders, body: Buffer): string {
  const type = singleValue(headers, 'content-type') ?? '';
  const charset = /;\s*charset\s*=\s*["']?([^\s"';,]+)/i.exec(type)?.[1] ?? 'utf-8';
  // Some servers declare every text as ASCII, which is a part of UTF-8.
  const name = /^(?:us-)?ascii$/i.test(charset) ? 'utf-8' : charset;
  return new TextDecoder(name, { fatal: true }).decode(body);
}
