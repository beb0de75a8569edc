import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';
import type { Settings } from '../../config/read-config.ts';
import { clientErrorExtensions } from '../../server/errors/client-error.ts';
import { badRequest, HttpError } from '../../server/errors/http-error.ts';
import type { Host, LoadedServer, Parts } from '../../server/feature.ts';
import { sendResponse } from '../../server/graphql/fetch-api.ts';
import { hasTooManyValues } from '../../server/graphql/variable-limits.ts';
import type { Endpoint } from '../../server/http/endpoint-table.ts';
import type { HttpExchange } from '../../server/http/http-exchange.ts';
import { readJson } from '../../server/http/json-body.ts';
import { requireSameOrigin } from '../../server/http/request-checks.ts';
import { sendJson } from '../../server/http/respond.ts';
import type { Identity } from '../../server/identity/index.ts';
import type { ManifestEntry } from '../persisted-documents/trusted-documents.ts';
import { createMcp, type AnswerMcp } from './mcp-server.ts';
import { createTools } from './tools.ts';

/** Where clients find the issuer of tokens for /mcp (RFC 9728), which can insert the path of the resource. */
const resourceMetadataPaths = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
];

const maxValues = 1000;
const maxBatch = 20;
const maxResultBytes = 64 * 1024;
const maxAcceptLength = 500;
const maxOmitted = 20;

type AgentsOptions = Pick<Settings, 'identity' | 'publicUrl'> & Parameters<typeof readJson>[1];

export function createAgents(
  options: AgentsOptions,
  documents: readonly ManifestEntry[],
  log: Host['log'],
): Parts {
  let mcp: { readonly answer: AnswerMcp; readonly server: LoadedServer } | null = null;
  return {
    links: { 'Agents (MCP)': '/mcp' },
    hooks: {
      onReady(server) {
        const { tools, omitted } = createTools(server, documents);
        if (omitted.length > 0) {
          log.write('warn', 'trusted documents are not tools', {
            count: omitted.length,
            documents: omitted.slice(0, maxOmitted),
          });
        }
        mcp = { answer: createMcp({ tools }), server };
      },
    },
    endpoints({ identity, load }) {
      const endpoints: Record<string, Endpoint> = {
        '/mcp': {
          kind: 'mcp',
          methods: ['POST'],
          isLong: true,
          answer: (exchange) => answerMcp(exchange, identity, load),
        },
      };
      if (options.identity.mode === 'jwt') {
        const answer = (exchange: HttpExchange): void => sendResourceMetadata(exchange, options);
        for (const path of resourceMetadataPaths) endpoints[path] = { answer };
      }
      return endpoints;
    },
  };

  async function answerMcp(
    exchange: HttpExchange,
    identity: Identity,
    load: () => Promise<unknown>,
  ): Promise<void> {
    const { req, mediaType, signal } = exchange;
    requireSameOrigin(exchange);
    exchange.caller = await identify(exchange, options, identity);
    if (mediaType !== 'application/json') {
      throw new HttpError(415, 'BAD_USER_INPUT', 'The content type must be application/json.');
    }
    const json = await readJson(exchange, options);
    const { body, argsOf } = separateArguments(json, req);
    if (hasTooManyValues(body, maxValues)) throw badRequest('The message has too many values.');
    const request = new Request(`${baseUrlOf(exchange, options)}/mcp`, {
      method: 'POST',
      headers: headersOf(req),
      signal,
    });
    await load();
    const { answer, server } = mcp!;
    const response = await answer(request, body, argsOf, async (params) => {
      const text = await server.execute(exchange, params);
      return Buffer.byteLength(text) <= maxResultBytes ? text : tooLargeResult(exchange);
    });
    if (response.status >= 400) exchange.outcome = 'BAD_USER_INPUT'; // the library rejects what is not the protocol
    await sendResponse(exchange, response);
  }
}

function tooLargeResult(exchange: HttpExchange): string {
  const code = 'BAD_USER_INPUT';
  const message = `The result is too large: it can have ${maxResultBytes} bytes. Ask for fewer items.`;
  const extensions = clientErrorExtensions(code, exchange.id, { retryable: false });
  exchange.outcome = code;
  return JSON.stringify({ data: null, errors: [{ message, extensions }] });
}

const responseTypes = ['application/json', 'text/event-stream'];

function headersOf(req: IncomingMessage): Headers {
  const headers = new Headers(req.headers as Record<string, string>);
  headers.set('content-type', 'application/json');
  const accept = req.headers.accept || '*/*';
  // A longer header is read in a time that grows with the square of its length.
  if (accept.length > maxAcceptLength) return headers;
  const accepted = new Negotiator({ headers: { accept } }).mediaTypes([...responseTypes]);
  if (accepted.length === responseTypes.length) headers.set('accept', accepted.join(', '));
  return headers;
}

const revisionWithBatches = '2025-03-26';

/**
 * Separates messages from the arguments of tools. The limits of variables apply to those when they are executed; the
 * library would read them before, and its copy has no `__proto__`.
 */
function separateArguments(body: unknown, { headers }: IncomingMessage) {
  const argsOf = new Map<unknown, unknown>();
  if (!Array.isArray(body)) return { body: separateMessage(body, argsOf), argsOf };
  const { 'mcp-protocol-version': revision = revisionWithBatches } = headers;
  if (revision !== revisionWithBatches) {
    throw badRequest(`Batch requests are only supported by the revision ${revisionWithBatches}.`);
  }
  if (body.length > maxBatch) throw badRequest(`A batch can have ${maxBatch} messages.`);
  const messages = body.map((message: unknown) => separateMessage(message, argsOf));
  const requests = messages.filter((message) => Object.hasOwn(Object(message), 'id'));
  if (argsOf.size < requests.length) throw badRequest('The IDs of a batch must be unique.');
  return { body: messages, argsOf };
}

function separateMessage(message: unknown, argsOf: Map<unknown, unknown>): unknown {
  const { id, params } = Object(message) as { readonly id?: unknown; readonly params?: unknown };
  const hasArguments = typeof params === 'object' && params !== null && 'arguments' in params;
  const { arguments: args = {}, ...rest } = hasArguments ? params : {};
  if (id !== undefined) argsOf.set(id, args);
  return hasArguments ? { ...(message as object), params: rest } : message;
}

function sendResourceMetadata(exchange: HttpExchange, options: AgentsOptions): void {
  const { identity } = options;
  const issuer = identity.mode === 'jwt' ? identity.issuer : null;
  sendJson(exchange, 200, {
    resource: `${baseUrlOf(exchange, options)}/mcp`,
    authorization_servers: issuer === null ? [] : [issuer],
    bearer_methods_supported: ['header'],
  });
}

async function identify(exchange: HttpExchange, options: AgentsOptions, identity: Identity) {
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

function baseUrlOf({ req }: HttpExchange, { publicUrl }: AgentsOptions): string {
  return publicUrl ?? `http://${req.headers.host ?? 'localhost'}`;
}
