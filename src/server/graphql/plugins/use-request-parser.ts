import type { IncomingMessage } from 'node:http';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { checkEncoding, readJson, readJsonOf, type BodyLimits } from '../../http/json-body.ts';
import type { HttpExchange } from '../../http/http-exchange.ts';
import type { OperationContext } from '../operation-context.ts';
import { LightRequest } from '../fetch-api.ts';
import { badRequest, HttpError } from '../../errors/http-error.ts';
import { readMultipart, type UploadLimits } from '../../files/multipart-reader.ts';

/**
 * Reads JSON and multipart bodies directly from Node's request, with size limits and without copies, and streams files
 * as they arrive. Yoga's parsers would hold complete files in memory.
 *
 * @throws {HttpError} 400, 408, 413 or 415
 */
export function useRequestParser(
  limits: BodyLimits & UploadLimits,
): Plugin<OperationContext, OperationContext> {
  return {
    onRequestParse({ request, requestParser, setRequestParser, serverContext: context }) {
      if (request.method === 'GET' && requestParser !== undefined) {
        const readQuery = requestParser;
        setRequestParser((get) => {
          try {
            return withDocumentId(get, readQuery(get) as GraphQLParams);
          } catch {
            throw badRequest('`variables` and `extensions` must be valid JSON.');
          }
        });
      } else if (mediaTypeOf(context.http.req) === 'multipart/form-data') {
        setRequestParser((given) => {
          if (isUnread(given, context)) return readMultipartParams(context, limits);
          throw new Error('A plugin has read or replaced the body of an upload.');
        });
      } else if (isJson(context.http.req)) {
        setRequestParser((given) =>
          isUnread(given, context)
            ? readJsonParams(context, limits)
            : readJsonParamsOf(given, limits),
        );
      } else if (request.method === 'POST') throw unsupported();
    },
  };
}

/** The parameters of a GET request: those that Yoga reads, and the one with the ID of a persisted document. */
function withDocumentId({ url }: Request, params: GraphQLParams): GraphQLParams {
  const documentId = new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('documentId');
  return documentId ? Object.assign(params, { documentId }) : params;
}

const formTypes = ['application/x-www-form-urlencoded', 'application/graphql'];

/**
 * Rejects forms and plain GraphQL texts, which Yoga always parses. A page of any site can send a form without a
 * preflight.
 *
 * @throws {HttpError} 415
 */
export function checkBodyType({ req }: HttpExchange): void {
  if (req.method === 'POST' && formTypes.includes(mediaTypeOf(req))) throw unsupported();
}

/** Reads the parameters of a JSON body. @throws {HttpError} 400, 408 or 413 */
export async function readJsonParams(
  context: OperationContext,
  limits: BodyLimits,
): Promise<GraphQLParams> {
  checkEncoding(context.http.req);
  return paramsFrom(await readJson(context.http, limits));
}

async function readJsonParamsOf(request: Request, limits: BodyLimits): Promise<GraphQLParams> {
  checkEncoding({ headers: Object.fromEntries(request.headers) });
  return paramsFrom(await readJsonOf(request, limits));
}

/** Whether no plugin has read or replaced the body. */
function isUnread(request: Request, { http: { req } }: OperationContext): boolean {
  return request instanceof LightRequest && request.isUnreadOf(req);
}

/** Reads the parameters of a multipart body. Its files follow while the operation runs. */
async function readMultipartParams(
  context: OperationContext,
  limits: UploadLimits,
): Promise<GraphQLParams> {
  checkEncoding(context.http.req);
  const { params, files } = await readMultipart(context.http, limits);
  context.files = files;
  return paramsFrom(params);
}

/** Whether the content type of a request is JSON. */
export function isJson(req: IncomingMessage): boolean {
  const type = mediaTypeOf(req);
  return type === 'application/json' || type === 'application/graphql+json';
}

/** The error (415) of a body that is neither JSON nor an upload. */
export function unsupported(): HttpError {
  const message = 'The content type must be application/json, or multipart/form-data for uploads.';
  return new HttpError(415, 'BAD_USER_INPUT', message);
}

function mediaTypeOf(req: IncomingMessage): string {
  if (req.headers['content-type'] === 'application/json') return 'application/json'; // nearly all requests
  return (req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Yoga validates the other properties. @throws {HttpError} 400 */
function paramsFrom(value: unknown): GraphQLParams {
  if (Array.isArray(value))
    throw badRequest('Batch requests are not supported. Send one operation per request.');
  if (typeof value !== 'object' || value === null)
    throw badRequest('The request body must be a JSON object.');
  const params = value as GraphQLParams;
  if (params.operationName != null && typeof params.operationName !== 'string')
    throw badRequest('`operationName` must be a string.');
  return params;
}
