import { create, parse } from 'content-disposition';

/**
 * Builds the Content-Disposition of a file: always `attachment`, with the file name of the DMS if there is one. Only
 * the name is taken from the upstream header.
 *
 * @see RFC 6266, RFC 8187
 */
export function attachmentOf(upstream: string | undefined): string {
  const name = nameIn(upstream ?? '');
  if (name === null) return 'attachment';
  return create(name, { fallback: name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_') });
}

function nameIn(header: string): string | null {
  const extended = /;\s*filename\*\s*=\s*utf-8'[\w-]*'(.+)$/i.exec(header)?.[1];
  const unread = extended === undefined ? null : asUtf8(upToNextParameter(extended));
  if (unread !== null) {
    try {
      return cleaned(decodeURIComponent(unread));
    } catch {
      // The value is not encoded: the plain name is used, otherwise this value as it is.
    }
  }
  const { filename } = parse(header, { extended: false }).parameters;
  if (filename !== undefined) return cleaned(asUtf8(filename));
  return unread === null ? null : cleaned(unread);
}

/** Spaces and semicolons belong to the name, because not every DMS encodes the value after `UTF-8''`. */
function upToNextParameter(text: string): string {
  const next = text.search(/;\s*[\w-]+\*?\s*=/);
  return (next === -1 ? text : text.slice(0, next)).trim();
}

/** Node decodes header bytes as Latin-1. A plain name that is valid UTF-8 is decoded again. */
function asUtf8(name: string): string {
  const text = Buffer.from(name, 'latin1').toString('utf8');
  return text.includes('\uFFFD') ? name : text;
}

/** Removes the path, and replaces control characters and those that `withoutOverrides` replaces. */
function cleaned(name: string): string | null {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const plain = withoutOverrides(last.replaceAll(/\p{Cc}/gu, '_')).toWellFormed();
  return plain === '' || plain === '.' || plain === '..' ? null : plain;
}

/**
 * Replaces what makes a file name look different from what it is: line separators, and characters that override the
 * direction of text, with which `exe.pdf` can be shown for `fdp.exe`.
 */
export function withoutOverrides(name: string): string {
  return name.replaceAll(/[\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '_');
}
