import type { Plugin } from 'graphql-yoga';
import type { Caller } from '../../../rest/client/upstream-call.ts';
import { HttpError, forbidden } from '../../errors/http-error.ts';
import { acceptableFor } from '../negotiation.ts';
import { csrfHeaders } from '../../http/request-checks.ts';
import type { Identity } from '../../identity/index.ts';
import type { OperationContext } from '../operation-context.ts';
import { useCSRFPrevention } from '../yoga-packages.ts';

/**
 * Rejects a request that accepts none of the response types, before anything is executed. It rewrites the Accept header
 * so that Yoga's result processors interpret it in the same way.
 *
 * @throws {HttpError} 406
 */
export function useAccept(): Plugin<OperationContext, OperationContext> {
  return {
    onRequestParse({ request, serverContext }) {
      const { header } = acceptableFor(serverContext.http.req.headers.accept);
      request.headers.set('accept', header);
      if (header !== '') return;
      const message =
        'The Accept header must allow application/json or application/graphql-response+json.';
      throw new HttpError(406, 'BAD_USER_INPUT', message);
    },
  };
}

/** Identifies the user before the body is read. @throws {HttpError} 401, 403 or 503 */
export function useIdentity(identity: Identity): Plugin<OperationContext, OperationContext> {
  return { onRequestParse: ({ serverContext }) => identify(serverContext, identity) };
}

/** Sets the caller of a request, synchronously if possible. @throws {HttpError} 401, 403 or 503 */
export function identify(context: OperationContext, identity: Identity): Promise<void> | void {
  const caller = identity.identify(context.http.req.headers);
  if (caller instanceof Promise) return caller.then((known) => setCaller(context, known));
  return setCaller(context, caller);
}

function setCaller(context: OperationContext, caller: Caller): void {
  context.caller = caller;
  context.http.memory.moveTo(caller.key);
}

/**
 * Rejects requests that a page of another site can cause: a browser sends GET, form and multipart requests across
 * sites, with credentials that it adds itself. They require one of `csrfHeaders`. JSON requests do not, because they
 * need a preflight, and neither do GET requests of which the browser says that no other origin caused them.
 *
 * @throws {HttpError} 403
 */
export function useCsrf(): Plugin {
  const { onRequestParse } = useCSRFPrevention({ requestHeaders: csrfHeaders });
  return {
    onRequestParse(payload) {
      if (isFromOwnOrigin(payload.request)) return undefined;
      try {
        return onRequestParse?.(payload);
      } catch {
        const message = `GET and multipart requests require the header ${csrfHeaders.join(' or ')}.`;
        throw forbidden(message);
      }
    },
  };
}

/**
 * Whether a browser sends this GET request for a page of the gateway's own origin, or for its user (`none`). Pages cannot
 * set the header, and repeated headers are joined to a text that has neither value.
 * @see https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
 */
function isFromOwnOrigin({ method, headers }: Pick<Request, 'method' | 'headers'>): boolean {
  const site = headers.get('sec-fetch-site');
  return method === 'GET' && (site === 'same-origin' || site === 'none');
}
