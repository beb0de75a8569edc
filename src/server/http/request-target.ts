import type { IncomingMessage } from 'node:http';

const absoluteForm = /^https?:\/\/([^/?#@]+)([/?#].*)?$/i;

/**
 * Converts the target of a request from the absolute form (`http://host/path`) to the origin form (`/path`), which all
 * endpoints use. Its authority replaces the `Host` header (RFC 9112, section 3.2.2).
 *
 * @returns false if the target is an absolute URL with another scheme, without a host or with user information
 */
export function toOriginForm(req: IncomingMessage): boolean {
  const { url = '', headers } = req;
  if (url.startsWith('/') || url === '*') return true;
  const [, authority, rest = ''] = absoluteForm.exec(url) ?? [];
  if (authority === undefined) return false;
  headers.host = authority;
  req.url = rest.startsWith('/') ? rest : `/${rest}`;
  return true;
}
