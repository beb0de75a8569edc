/** What the header of a multipart/form-data part says. */
export interface PartHeader {
  /** Name of the field; null if the header names none. */
  readonly name: string | null;
  /** Without its path. Null if the part is no file; empty if it is a file without a name. */
  readonly filename: string | null;
  /** As the client wrote it; `application/octet-stream` if it is missing or malformed. */
  readonly contentType: string;
}

/**
 * Reads the header of a part. A malformed header reads as one that lacks what cannot be read.
 *
 * @param headers header lines by name in lower case, as Latin-1
 * @see RFC 7578; RFC 8187 for `filename*`, which takes precedence
 */
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
  const filename = extendedValue(found.get('filename*')) ?? (plain && asUtf8(plain)) ?? null;
  const name = found.get('name');
  return {
    name: name === undefined ? null : asUtf8(name),
    filename: filename === null ? null : withoutPath(filename),
    contentType,
  };
}

/** Sticky: it stops at what it cannot read, so that a long header takes linear time. */
const parameter = /[ \t]*;[ \t]*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\[^])*)"|([^;"\s]+))/y;

/** A browser writes names in UTF-8; header lines are read as Latin-1. */
function asUtf8(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}

function extendedValue(value: string | undefined): string | null {
  const encoded = /^utf-8'[\w-]*'(.+)$/i.exec(value ?? '')?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null; // the plain name is next
  }
}

function withoutPath(name: string): string {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  return last === '.' || last === '..' ? '' : last;
}

const maxMediaTypeLength = 255;
const wellFormed =
  /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?:[ \t]*;[ \t]*[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~-]+|"(?:[ !#-[\]-~]|\\[ -~])*"))*$/;

/** A media type as it came, if it is one that can go into a header. @see RFC 9110, section 8.3 */
function mediaType(text: string | undefined): string {
  const type = text?.trim() ?? '';
  return type.length <= maxMediaTypeLength && wellFormed.test(type)
    ? type
    : 'application/octet-stream';
}
