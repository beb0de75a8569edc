import type { GraphQLParams, Plugin } from 'graphql-yoga';
import type { Caller } from '../../../rest/index.ts';
import { badRequest, forbidden, HttpError, unknownPath } from '../../errors/http-error.ts';
import { readMultipart, type UploadLimits } from '../../files/multipart-reader.ts';
import {
  checkEncoding,
  jsonTypes,
  readJson,
  readJsonOf,
  type BodyLimits,
} from '../../http/json-body.ts';
import { csrfHeaders } from '../../http/request-checks.ts';
import type { Identity } from '../../identity/index.ts';
import { LightRequest } from '../fetch-api.ts';
import { acceptableFor } from '../negotiation.ts';
import type { Operation, OperationContext } from '../operation.ts';
import { useCSRFPrevention } from '../yoga-packages.ts';

/**
 * Rejects a request for a path that no plugin before this one has answered. Yoga would execute what it contains if
 * its URL ends with `/graphql`.
 */
export function useUnknownPath(): Plugin<OperationContext, OperationContext> {
  return {
    onRequest({ serverContext }) {
      if (serverContext.operation.http.kind === 'other') throw unknownPath();
    },
  };
}

/**
 * Rejects a request that accepts none of the response types, before anything is executed. It rewrites the Accept
 * header so that Yoga's result processors interpret it in the same way.
 */
export function useAccept(): Plugin<OperationContext, OperationContext> {
  return {
    onRequestParse({ request, serverContext }) {
      const { header } = acceptableFor(serverContext.operation.http.req.headers.accept);
      request.headers.set('accept', header);
      if (header !== '') return;
      const message =
        'The Accept header must allow application/json or application/graphql-response+json.';
      throw new HttpError(406, 'BAD_USER_INPUT', message);
    },
  };
}

export function useIdentity(identity: Identity): Plugin<OperationContext, OperationContext> {
  return { onRequestParse: ({ serverContext }) => identify(serverContext, identity) };
}

export function identify(context: OperationContext, identity: Identity): Promise<void> | void {
  const caller = identity.identify(context.operation.http.req.headers);
  if (caller instanceof Promise) return caller.then((known) => setCaller(context, known));
  return setCaller(context, caller);
}

function setCaller(context: OperationContext, caller: Caller): void {
  context.operation.http.caller = caller;
  context.runAs = caller.runAs; // for plugins that authorize a request before `useOperation`
}

/**
 * Reads JSON and multipart bodies directly from Node's request, with size limits and without copies, and streams
 * files as they arrive. Yoga's parsers would hold complete files in memory.
 */
export function useRequestParser(
  limits: BodyLimits & UploadLimits,
): Plugin<OperationContext, OperationContext> {
  return {
    onRequestParse({ request, requestParser, setRequestParser, serverContext }) {
      const { operation, givenParams } = serverContext;
      const { http } = operation;
      const { mediaType } = http;
      if (givenParams !== undefined) setRequestParser(() => givenParams);
      else if (request.method === 'GET' && requestParser !== undefined) {
        const readQuery = requestParser;
        setRequestParser((get) => {
          try {
            return readQuery(get);
          } catch {
            throw badRequest('`variables` and `extensions` must be valid JSON.');
          }
        });
      } else if (mediaType === 'multipart/form-data') {
        setRequestParser((given) => {
          if (isUnread(given, operation)) return readMultipartParams(operation, limits);
          throw new Error('A plugin has read or replaced the body of an upload.');
        });
      } else if (jsonTypes.has(mediaType)) {
        setRequestParser((given) =>
          isUnread(given, operation)
            ? readJsonParams(operation, limits)
            : readJsonOf(given, http, limits).then(paramsFrom),
        );
      } else if (request.method === 'POST') {
        // Yoga also parses forms and plain texts, which a page of any site can send without a preflight.
        const message =
          'The content type must be application/json, or multipart/form-data for uploads.';
        throw new HttpError(415, 'BAD_USER_INPUT', message);
      }
    },
  };
}

export async function readJsonParams(
  operation: Operation,
  limits: BodyLimits,
): Promise<GraphQLParams> {
  return paramsFrom(await readJson(operation.http, limits));
}

function isUnread(request: Request, { http: { req } }: Operation): boolean {
  return request instanceof LightRequest && request.isUnreadOf(req);
}

async function readMultipartParams(
  operation: Operation,
  limits: UploadLimits,
): Promise<GraphQLParams> {
  checkEncoding(operation.http.req);
  const { params, files } = await readMultipart(operation.http, limits);
  operation.files = files;
  return paramsFrom(params);
}

function paramsFrom(value: unknown): GraphQLParams {
  if (Array.isArray(value))
    throw badRequest('Batch requests are not supported. Send one operation per request.');
  if (typeof value !== 'object' || value === null)
    throw badRequest('The request body must be a JSON object.');
  const params = value as GraphQLParams;
  if (params.operationName != null && typeof params.operationName !== 'string')
    throw badRequest('`operationName` must be a string.');
  if (params.operationName === '') delete params.operationName; // as Yoga reads it in a GET request
  return params;
}

/**
 * Rejects requests that a page of another site can cause: a browser sends GET, form and multipart requests across
 * sites, with credentials that it adds itself. They require one of `csrfHeaders`. JSON requests do not, because they
 * need a preflight, and neither do GET requests of which the browser says that no other origin caused them.
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
