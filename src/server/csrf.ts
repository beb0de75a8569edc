import { mediaTypeOf } from './params.ts';
import type { Exchange } from './exchange.ts';
import { Refusal } from './refusal.ts';

/** Any of these headers makes a browser ask first (a CORS preflight) before it lets a page send the request. */
export const csrfHeaders = ['x-graphql-yoga-csrf', 'apollo-require-preflight'];

/**
 * A page of any site can make a browser send a GET, a form or a multipart body with whatever the browser adds
 * to it. Those need a header that only asked-for requests can carry; JSON needs none, because a page cannot
 * send it unasked. Other media types are refused by the parser.
 *
 * @throws {Refusal} 403
 */
export function checkCsrf({ req }: Exchange): void {
  if (req.method === 'POST' && mediaTypeOf(req) !== 'multipart/form-data') return;
  if (csrfHeaders.some((name) => req.headers[name] !== undefined)) return;
  const message = `GET and multipart requests need the header ${csrfHeaders.join(' or ')}.`;
  throw new Refusal(403, 'FORBIDDEN', message);
}
