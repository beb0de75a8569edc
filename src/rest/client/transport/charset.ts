import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { singleValue } from './header-values.ts';

/**
 * The bytes of a text or JSON in UTF-8, without a byte order mark. Its character set is that of the byte order mark,
 * otherwise the declared one, otherwise UTF-8.
 *
 * @throws {TypeError} if the bytes are not in the character set, or it is unknown. U+FFFD never replaces them.
 * @see Encoding Standard, section 4.2
 */
export function utf8BytesOf(headers: IncomingHttpHeaders, body: Buffer): Buffer {
  const mark = byteOrderMarkOf(body);
  const charset = mark?.charset ?? declaredCharset(headers);
  // ASCII is a part of UTF-8.
  if (!/^(?:utf-?8|(?:us-)?ascii)$/i.test(charset)) return decoded(body, charset);
  if (!isUtf8(body)) throw new TypeError('The bytes are not UTF-8.');
  return mark === undefined ? body : body.subarray(mark.bytes.length);
}

function decoded(body: Buffer, charset: string): Buffer {
  try {
    return Buffer.from(new TextDecoder(charset, { fatal: true }).decode(body));
  } catch (cause) {
    throw new TypeError(`The bytes cannot be read as ${charset.slice(0, 40)}.`, { cause });
  }
}

function declaredCharset(headers: IncomingHttpHeaders): string {
  const type = singleValue(headers, 'content-type');
  if (!type?.includes(';')) return 'utf-8';
  return /;\s*charset\s*=\s*["']?([^\s"';,]+)/i.exec(type)?.[1] ?? 'utf-8';
}

const byteOrderMarks = [
  { charset: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { charset: 'utf-16be', bytes: [0xfe, 0xff] },
  { charset: 'utf-16le', bytes: [0xff, 0xfe] },
];

function byteOrderMarkOf(body: Buffer): (typeof byteOrderMarks)[number] | undefined {
  if (!(body[0]! >= 0xef)) return undefined; // nearly every body
  return byteOrderMarks.find(({ bytes }) => bytes.every((byte, index) => body[index] === byte));
}
