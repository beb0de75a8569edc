import type { IncomingMessage } from 'node:http';
import { badRequest, HttpError } from '../errors/http-error.ts';

const absoluteForm = /^https?:\/\/([^/?#@]+)([/?#].*)?$/i;

/**
 * Converts the target of a request from the absolute form (`http://host/path`) to the origin form (`/path`), which all
 * endpoints use. Its authority replaces the `Host` header (RFC 9112, section 3.2.2).
 *
 * @returns null, or why the request is invalid. 400: the target is an absolute URL with another scheme, without a host or
 * with user information, or there are several `Host` headers, which the server joins with commas (section 3.2). 501: the
 * body has another transfer coding than `chunked` (section 6.1).
 */
export function toOriginForm(req: IncomingMessage): HttpError | null {
  const { url = '', headers } = req;
  if (headers.host?.includes(',')) return badRequest('A request can have only one Host header.');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    const message = 'The only supported transfer coding is chunked.';
    return new HttpError(501, 'BAD_USER_INPUT', message);
  }
  if (url.startsWith('/') || url === '*') return null;
  const [, authority, rest = ''] = absoluteForm.exec(url) ?? [];
  if (authority === undefined) {
    return badRequest('The request target must be a path, or an HTTP URL with a host.');
  }
  headers.host = authority;
  req.url = rest.startsWith('/') ? rest : `/${rest}`;
  return null;
}
