import type { Plugin } from 'graphql-yoga';
import type { Caller } from '../../../rest/client/caller.ts';
import type { HttpExchange } from '../../http/http-exchange.ts';
import type { Identity } from '../../identity/index.ts';

/** Identifies the user before the body is read. @throws {HttpError} 401, 403 or 503 */
export function useIdentity(identity: Identity): Plugin<HttpExchange, HttpExchange> {
  return { onRequestParse: ({ serverContext }) => identify(serverContext, identity) };
}

/** Sets the caller of a request, synchronously if possible. @throws {HttpError} 401, 403 or 503 */
export function identify(exchange: HttpExchange, identity: Identity): Promise<void> | void {
  const caller = identity.identify(exchange.req.headers);
  if (caller instanceof Promise) return whenKnown(exchange, caller);
  exchange.identified(caller);
  return undefined;
}

async function whenKnown(exchange: HttpExchange, caller: Promise<Caller>): Promise<void> {
  exchange.identified(await caller);
}
