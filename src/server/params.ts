import type { IncomingMessage } from 'node:http';
import { GraphQLError } from 'graphql';
import { badRequest, checkEncoding, readJson, type BodyLimits } from './body.ts';
import type { Exchange } from './exchange.ts';
import { Refusal } from './refusal.ts';
import { readMultipart, type UploadLimits } from './uploads.ts';

/**
 * The parameters of a GraphQL request, read from the Node request itself: no copy of a body, no stream between.
 *
 * @throws {Refusal} 400, 408, 413 or 415
 * @throws {GraphQLError} `PERSISTED_QUERY_NOT_SUPPORTED` for a hash without a query
 */
export async function readParams(
  exchange: Exchange,
  limits: BodyLimits & UploadLimits,
): Promise<GraphQLParams> {
  const { req } = exchange;
  if (req.method === 'GET') return paramsFromQuery(req.url ?? '');
  switch (mediaTypeOf(req)) {
    case 'application/json':
    case 'application/graphql+json':
      checkEncoding(req);
      return paramsFrom(await readJson(req, limits));
    case 'multipart/form-data': {
      checkEncoding(req);
      const { params, files } = await readMultipart(req, limits);
      exchange.files = files;
      return paramsFrom(params);
    }
    default:
      throw new Refusal(
        415,
        'BAD_USER_INPUT',
        'Send application/json, or multipart/form-data for uploads.',
      );
  }
}

/** What a request asks for. */
export interface GraphQLParams {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Record<string, unknown> | undefined;
}

export function mediaTypeOf(req: IncomingMessage): string {
  return (req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function paramsFromQuery(url: string): GraphQLParams {
  const start = url.indexOf('?');
  const query = new URLSearchParams(start === -1 ? '' : url.slice(start + 1));
  const json = (name: string): unknown => {
    const text = query.get(name);
    if (!text) return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw badRequest(`\`${name}\` is not JSON.`);
    }
  };
  return paramsFrom({
    query: query.get('query') ?? undefined,
    operationName: query.get('operationName') ?? undefined,
    variables: json('variables'),
    extensions: json('extensions'),
  });
}

/** @throws {Refusal} 400 for parameters that are none of GraphQL over HTTP */
function paramsFrom(value: unknown): GraphQLParams {
  if (Array.isArray(value)) throw badRequest('Batch requests are not taken; send one operation.');
  if (!isObject(value)) throw badRequest('The request body must be a JSON object.');
  const { query, operationName, variables, extensions } = value;
  if (query == null && isObject(extensions) && isObject(extensions['persistedQuery'])) {
    throw persistedQueryNotSupported();
  }
  if (typeof query !== 'string' || query === '') throw badRequest('`query` must be a document.');
  if (operationName != null && typeof operationName !== 'string') {
    throw badRequest('`operationName` must be a string.');
  }
  if (variables != null && !isObject(variables)) throw badRequest('`variables` must be an object.');
  if (extensions != null && !isObject(extensions)) {
    throw badRequest('`extensions` must be an object.');
  }
  return {
    query,
    operationName: operationName ?? undefined,
    variables: variables ?? undefined,
  };
}

/**
 * The hash of an automatic persisted query alone. Message, code and status are Apollo's: its clients go on to send the
 * whole query.
 */
function persistedQueryNotSupported(): GraphQLError {
  return new GraphQLError('PersistedQueryNotSupported', {
    extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED', http: { status: 400, spec: true } },
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
