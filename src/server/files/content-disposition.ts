import { isUtf8 } from 'node:buffer';
import { create, decodeExtended as decodeFormName, parse } from 'content-disposition';

export function attachmentOf(upstream: string | undefined): string {
  const name = nameIn(upstream ?? '');
  if (name === null) return 'attachment';
  return create(name, { fallback: name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_') });
}

function nameIn(header: string): string | null {
  const [, charset = '', rest = ''] =
    /;\s*filename\*\s*=\s*([\w-]+)'[\w-]*'(.*)$/i.exec(header) ?? [];
  const extended = upToNextParameter(rest);
  const { filename = '' } = parse(header, { extended: false }).parameters;
  return (
    cleaned(decodeExtended(extended, charset)) ??
    cleaned(asUtf8(filename)) ??
    cleaned(asUtf8(extended))
  );
}

/** Spaces and semicolons belong to the name, because not every DMS encodes the value after `UTF-8''`. */
function upToNextParameter(text: string): string {
  const next = text.search(/;\s*[\w-]+\*?\s*=/);
  return (next === -1 ? text : text.slice(0, next)).trim();
}

function decodeExtended(value: string, charset: string): string {
  if (/%(?![\da-f]{2})/i.test(value)) return '';
  const bytes = value.replaceAll(/%(..)/g, (_escape, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  try {
    return new TextDecoder(charset, { fatal: true }).decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return '';
  }
}

function asUtf8(name: string): string {
  return isLatin1OfUtf8(name) ? utf8Of(name) : name;
}

function cleaned(name: string): string | null {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const plain = withoutOverrides(last.replaceAll(/\p{Cc}/gu, '_')).toWellFormed();
  return plain === '' || plain === '.' || plain === '..' ? null : plain;
}

function withoutOverrides(name: string): string {
  return name.replaceAll(/[\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '_');
}

export interface PartHeader {
  readonly name: string | null;
  /** File name without a path and text direction characters. Null if the part is not a file; empty if it is a file without a name. */
  readonly filename: string | null;
  readonly isUtf8: boolean;
  readonly contentType: string;
  readonly encoding: string;
}

export function partHeader(
  headers: Readonly<Record<string, readonly string[] | undefined>>,
): PartHeader {
  const contentType = mediaType(headers['content-type']?.[0]);
  const encoding = headers['content-transfer-encoding']?.[0]?.toLowerCase() ?? '';
  const found = parametersOf(headers['content-disposition']?.[0] ?? '');
  const plain = found.get('filename');
  const extended = decodeFormName(found.get('filename*') ?? '');
  const filename = extended ?? (plain && utf8Of(plain)) ?? null;
  const name = found.get('name');
  return {
    name: name === undefined ? null : utf8Of(name),
    filename: filename === null ? null : withoutPath(filename),
    isUtf8: extended !== undefined || isLatin1OfUtf8(plain ?? ''),
    contentType,
    encoding: encodings.has(encoding) ? encoding : '7bit',
  };
}

function parametersOf(disposition: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (!/^form-data[ \t]*(?:;|$)/i.test(disposition)) return found;
  parameter.lastIndex = 'form-data'.length;
  for (let match = parameter.exec(disposition); match; match = parameter.exec(disposition)) {
    const [, key = '', quoted, token = ''] = match;
    const name = key.toLowerCase();
    const value = quoted === undefined ? token : quoted.replaceAll(/\\(["\\])/g, '$1');
    if (!found.has(name)) found.set(name, value);
  }
  return found;
}

/** @see RFC 2045, section 6.1 */
const encodings = new Set(['7bit', '8bit', 'binary', 'quoted-printable', 'base64']);

/** Sticky: matching stops at the first malformed parameter, so that a long header takes linear time. */
const parameter = /[ \t]*;[ \t]*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\[^])*)"|([^;"\s]+))/y;

function isLatin1OfUtf8(text: string): boolean {
  return isUtf8(Buffer.from(text, 'latin1'));
}

function utf8Of(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}

function withoutPath(name: string): string {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  return last === '.' || last === '..' ? '' : withoutOverrides(last);
}

const maxMediaTypeLength = 255;
const wellFormed =
  /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?:[ \t]*;[ \t]*[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~-]+|"(?:[ !#-[\]-~]|\\[ -~])*"))*$/;

function mediaType(text: string | undefined): string {
  const type = text?.trim() ?? '';
  return type.length <= maxMediaTypeLength && wellFormed.test(type)
    ? type
    : 'application/octet-stream';
}
