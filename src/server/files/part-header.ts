import { decodeExtended } from 'content-disposition';
import { withoutOverrides } from './content-disposition.ts';

/** The parsed header of a multipart/form-data part. */
export interface PartHeader {
  /** Name of the field. Null if the header has none. */
  readonly name: string | null;
  /** File name without a path and text direction characters. Null if the part is not a file; empty if it is a file without a name. */
  readonly filename: string | null;
  /** Content type of the client; `application/octet-stream` if it is missing or malformed. */
  readonly contentType: string;
}

/** Parses the header of a part. Malformed parameters count as missing. */
export function partHeader(
  headers: Readonly<Record<string, readonly string[] | undefined>>,
): PartHeader {
  const contentType = mediaType(headers['content-type']?.[0]);
  const disposition = headers['content-disposition']?.[0] ?? '';
  const found = new Map<string, string>();
  if (/^form-data[ \t]*(?:;|$)/i.test(disposition)) {
    parameter.lastIndex = 'form-data'.length;
    for (let match = parameter.exec(disposition); match; match = parameter.exec(disposition)) {
      const [, key = '', quoted, token = ''] = match;
      const name = key.toLowerCase();
      const value = quoted === undefined ? token : quoted.replaceAll(/\\(["\\])/g, '$1');
      if (!found.has(name)) found.set(name, value);
    }
  }
  const plain = found.get('filename');
  const filename = decodeExtended(found.get('filename*') ?? '') ?? (plain && asUtf8(plain)) ?? null;
  const name = found.get('name');
  return {
    name: name === undefined ? null : asUtf8(name),
    filename: filename === null ? null : withoutPath(filename),
    contentType,
  };
}

/** Sticky: matching stops at the first malformed parameter, so that a long header takes linear time. */
const parameter = /[ \t]*;[ \t]*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\[^])*)"|([^;"\s]+))/y;

/** Browsers encode names in UTF-8, but header lines are decoded as Latin-1. */
function asUtf8(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}

function withoutPath(name: string): string {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  return last === '.' || last === '..' ? '' : withoutOverrides(last);
}

const maxMediaTypeLength = 255;
const wellFormed =
  /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?:[ \t]*;[ \t]*[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~-]+|"(?:[ !#-[\]-~]|\\[ -~])*"))*$/;

/** Returns a media type unchanged if it is valid in a header. @see RFC 9110, section 8.3 */
function mediaType(text: string | undefined): string {
  const type = text?.trim() ?? '';
  return type.length <= maxMediaTypeLength && wellFormed.test(type)
    ? type
    : 'application/octet-stream';
}
