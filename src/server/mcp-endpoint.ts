import { badRequest, HttpError } from './errors/http-error.ts';
import type { createGraphQLEndpoint } from './graphql/endpoint.ts';
import { sendResponse } from './graphql/fetch-api.ts';
import { hasTooManyValues } from './graphql/variable-limits.ts';
import type { HttpExchange } from './http/http-exchange.ts';
import { readJson } from './http/json-body.ts';
import { requireSameOrigin } from './http/request-checks.ts';
import { sendJson } from './http/respond.ts';
import { waitForTurn } from './http/turns.ts';
import type { GatewayOptions } from './options.ts';
import type { Identity } from './identity/index.ts';

/** Where clients find the issuer of tokens for /mcp (RFC 9728), which can insert the path of the resource. */
export const resourceMetadataPaths = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
];

/**
 * Maximum number of values of a message besides the arguments of a tool, far above what clients send. The library reads
 * them several times and describes each wrong one in its response.
 */
const maxValues = 1000;

/**
 * Creates the endpoint /mcp: the Model Context Protocol over Streamable HTTP, without sessions. Every request is
 * identified. It is for programs: pages of other origins are rejected, whatever CORS_ORIGINS allows.
 *
 * @throws {HttpError} 401 with the URL of the resource metadata (`jwt`), 403, 413, 415
 */
export function createMcpEndpoint(
  options: GatewayOptions,
  identity: Identity,
  graphql: Pick<ReturnType<typeof createGraphQLEndpoint>, 'answerMcp'>,
): (exchange: HttpExchange) => Promise<void> {
  return async (exchange) => {
    const { req, mediaType, connection } = exchange;
    requireSameOrigin(exchange);
    exchange.setCaller(await identify(exchange, options, identity));
    if (mediaType !== 'application/json') {
      throw new HttpError(415, 'BAD_USER_INPUT', 'The content type must be application/json.');
    }
    const body = await readJson(exchange, options);
    await waitForTurn(exchange.memory.key);
    if (Array.isArray(body)) throw badRequest('Batch requests are not supported.');
    const { message, args } = separateArguments(body);
    if (hasTooManyValues(message, maxValues)) throw badRequest('The message has too many values.');
    const request = new Request(`${baseUrlOf(exchange, options)}/mcp`, {
      method: 'POST',
      headers: new Headers(req.headers as Record<string, string>),
      signal: connection.toAbortSignal(),
    });
    const response = await graphql.answerMcp(exchange, request, message, args);
    if (response.status >= 400) exchange.outcome = 'BAD_USER_INPUT'; // the library rejects what is not the protocol
    await sendResponse(exchange, response);
  };
}

/**
 * Separates a message from the arguments of a tool. The limits of variables apply to them when they are executed; the
 * library would read them before, and its copy has no `__proto__`.
 */
function separateArguments(body: unknown): { readonly message: unknown; readonly args: unknown } {
  const { params } = Object(body) as { readonly params?: unknown };
  if (typeof params !== 'object' || params === null || !('arguments' in params)) {
    return { message: body, args: {} };
  }
  const { arguments: args, ...rest } = params;
  return { message: { ...(body as object), params: rest }, args };
}

/** Sends the metadata of the resource /mcp. Agents find the issuer of their tokens there. */
export function sendResourceMetadata(exchange: HttpExchange, options: GatewayOptions): void {
  const { identity } = options;
  const issuer = identity.mode === 'jwt' ? identity.issuer : null;
  sendJson(exchange, 200, {
    resource: `${baseUrlOf(exchange, options)}/mcp`,
    authorization_servers: issuer === null ? [] : [issuer],
    bearer_methods_supported: ['header'],
  });
}

async function identify(exchange: HttpExchange, options: GatewayOptions, identity: Identity) {
  try {
    return await identity.identify(exchange.req.headers);
  } catch (error) {
    const isMissing = error instanceof HttpError && error.status === 401;
    if (!isMissing || options.identity.mode !== 'jwt') throw error;
    const url = `${baseUrlOf(exchange, options)}${resourceMetadataPaths[0]}`;
    const invalid = exchange.req.headers.authorization ? 'error="invalid_token", ' : '';
    throw new HttpError(401, error.code, error.message, {
      headers: { 'www-authenticate': `Bearer ${invalid}resource_metadata="${url}"` },
      cause: error.cause,
    });
  }
}

function baseUrlOf({ req }: HttpExchange, { publicUrl }: GatewayOptions): string {
  return publicUrl ?? `http://${req.headers.host ?? 'localhost'}`;
}
