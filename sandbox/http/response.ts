import type { IncomingMessage, ServerResponse } from 'node:http';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** The response of a handler, which the server sends. */
export interface SandboxResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | StoredContent;
  /** Whether Range headers are supported. */
  readonly ranges?: boolean;
}

/** A file on disk, which is streamed. */
export interface StoredContent {
  readonly path: string;
  readonly size: number;
}

export function json(
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): SandboxResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(body),
  };
}

/** A download with a file name in the form that the specification defines (RFC 8187). */
export function download(
  name: string,
  body: Uint8Array | StoredContent,
  contentType = 'application/octet-stream',
): SandboxResponse {
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return {
    status: 200,
    headers: {
      'Content-Type': contentType,
      'Content-Disposition': `attachment; filename*=UTF-8''${encoded}`,
    },
    body,
    ranges: true,
  };
}

/** Converts text to a valid header value: printable ASCII. Node would otherwise reject the response. */
export function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, '?').slice(0, 1000);
}

interface Slice {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the requested byte range, `all` without one, `none` if it is outside the content. Multiple and invalid ranges
 * are ignored, as RFC 9110 allows.
 */
function sliceOf(range: string | undefined, size: number): Slice | 'all' | 'none' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(range ?? '');
  if (match === null || (match[1] === '' && match[2] === '')) return 'all';
  const [, first = '', last = ''] = match;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'none' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return 'all';
  return start >= size ? 'none' : { start, end };
}

/** Sends a response. For HEAD, it sends the headers of GET without a body. */
export async function send(
  request: IncomingMessage,
  response: ServerResponse,
  answer: SandboxResponse,
): Promise<void> {
  const { body } = answer;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const size = 'path' in bytes ? bytes.size : bytes.length;
  const slice = answer.ranges === true ? sliceOf(request.headers.range, size) : 'all';
  const headers: Record<string, string> = { ...answer.headers };
  if (answer.ranges === true) headers['Accept-Ranges'] = 'bytes';

  if (slice === 'none') {
    response.writeHead(416, { 'Content-Range': `bytes */${size}`, 'Content-Length': '0' }).end();
    return;
  }
  const { start, end } = slice === 'all' ? { start: 0, end: size - 1 } : slice;
  if (slice !== 'all') headers['Content-Range'] = `bytes ${start}-${end}/${size}`;
  headers['Content-Length'] = String(end - start + 1);
  const isEmpty = request.method === 'HEAD' || size === 0;
  // The file is opened before the headers are sent: a missing file must not start as a success. It is closed in any
  // case, also if the client has disconnected before its stream starts.
  await using file = 'path' in bytes && !isEmpty ? await open(bytes.path) : null;
  response.writeHead(slice === 'all' ? answer.status : 206, headers);

  if (file !== null) await pipeline(file.createReadStream({ start, end }), response);
  else if (isEmpty || 'path' in bytes) response.end();
  else response.end(bytes.subarray(start, end + 1));
}
