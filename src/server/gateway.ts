import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import type { Caller } from '../rest/client/resilience/request-budget.ts';
import type { Http } from '../rest/client/http-client.ts';
import { schema } from '../schema/index.ts';
import { loadCompiler } from './graphql/compiled-operations.ts';
import { createCors, type CorsOptions } from './http/cors.ts';
import { createDownloads, filePath } from './files/download-handler.ts';
import { drain, hasBody } from './http/discard-body.ts';
import { tell } from './errors/client-error.ts';
import { Exchange, type ExchangeKind } from './http/http-exchange.ts';
import { createFileLinks, type FileLinkOptions } from './files/file-links.ts';
import { createHealth } from './http/health.ts';
import { createIdentity, type IdentityOptions } from './identity/index.ts';
import { createCheckHost, type KnownHostOptions } from './http/allowed-hosts.ts';
import type { Log } from './telemetry/log.ts';
import type { Metrics } from './telemetry/metrics.ts';
import { sendPlayground, wantsPlayground } from './graphql/playground.ts';
import { Refusal } from './errors/http-error.ts';
import type { GatewayPlugin, PluginOptions } from './graphql/plugins.ts';
import { send, sendError, sendJson, sendResponse } from './http/respond.ts';
import { createResultStreams } from './graphql/result-streams.ts';
import { checkBodyType } from './graphql/plugins/use-request-parser.ts';
import type { AnswerGraphQL } from './graphql/yoga.ts';

export type GatewayOptions = PluginOptions &
  IdentityOptions &
  CorsOptions &
  FileLinkOptions &
  KnownHostOptions & { readonly playground: boolean };

export interface GatewayParts {
  readonly http: Http;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Yoga plugins beside the gateway's own; each sees every operation. Default: none. */
  readonly plugins?: readonly GatewayPlugin[];
  /** Another schema than the gateway's own, for tests of the pipeline. */
  readonly schema?: GraphQLSchema;
}

export interface Gateway {
  readonly handler: RequestListener;
  /** Loads what the first operation needs. Once it is done, the gateway can be ready. */
  load(): Promise<void>;
  /** From here on the gateway is not ready and takes nothing new; what runs goes on. */
  stopTaking(): void;
}

export function createGateway(options: GatewayOptions, parts: GatewayParts): Gateway {
  const { http, log, metrics } = parts;
  let closing = false;
  const identity = createIdentity(options, log.say);
  const links = createFileLinks(options);
  const checkHost = createCheckHost(options);
  const cors = createCors(options);
  const health = createHealth(http, () => closing);
  const answerFile = createDownloads(options, http, identity, links);

  const fileUrlFor =
    ({ req }: Exchange, { runAs }: Caller) =>
    (segments: readonly string[]): string => {
      const path = filePath(segments);
      const base = options.publicUrl ?? `http://${req.headers.host ?? 'localhost'}`;
      return identity.holdsCredential ? `${base}${path}?t=${links.sign(path, runAs)}` : base + path;
    };
  const streams = createResultStreams();
  let loading: Promise<AnswerGraphQL> | null = null;
  const load = (): Promise<AnswerGraphQL> => (loading ??= loadGraphQL());
  const loadGraphQL = async (): Promise<AnswerGraphQL> => {
    const { createGraphQL } = await import('./graphql/yoga.ts');
    const added = parts.plugins ?? [];
    const graphqlParts = { http, log, identity, streams, fileUrlFor, added };
    return createGraphQL(parts.schema ?? schema, options, graphqlParts);
  };

  const graphql = async (exchange: Exchange): Promise<void> => {
    if (cors.answered(exchange)) return;
    if (options.playground && wantsPlayground(exchange)) {
      await sendPlayground(exchange);
      return;
    }
    refuseWhen(closing);
    checkMethod(exchange, 'GET', 'POST');
    checkBodyType(exchange);
    const answer = await load();
    await sendResponse(exchange, await answer(exchange));
  };

  const file = async (exchange: Exchange): Promise<void> => {
    if (cors.answered(exchange)) return;
    checkMethod(exchange, 'GET', 'HEAD');
    refuseWhen(closing);
    await answerFile(exchange);
  };

  const operations: Record<string, (exchange: Exchange) => Promise<void>> = {
    '/healthz': async (exchange) => sendJson(exchange, 200, { status: 'ok' }),
    '/readyz': async (exchange) => {
      await load(); // before that, the first operation would have to wait for it
      const ready = await health.ready();
      sendJson(exchange, ready ? 200 : 503, { status: ready ? 'ready' : 'not ready' });
    },
    '/metrics': async (exchange) =>
      send(exchange, 200, { 'content-type': metrics.contentType }, await metrics.text()),
  };

  const other = async (exchange: Exchange, path: string): Promise<void> => {
    const operation = Object.hasOwn(operations, path) ? operations[path] : undefined;
    if (operation === undefined) {
      throw new Refusal(404, 'NOT_FOUND', 'There is nothing at this address.');
    }
    checkMethod(exchange, 'GET', 'HEAD');
    await operation(exchange);
  };

  const route = async (exchange: Exchange, path: string): Promise<void> => {
    // What asks for the health goes by whatever name it likes: there is nothing of a user in the answers.
    if (exchange.kind === 'other') return other(exchange, path);
    checkHost(exchange);
    return exchange.kind === 'graphql' ? graphql(exchange) : file(exchange);
  };

  const fail = (exchange: Exchange, error: unknown): void => {
    if (exchange.isAbandoned) return;
    const told = tell(error, exchange.id);
    if (told.cause !== null) log.failure(exchange, told.cause);
    sendError(exchange, told);
  };

  const drainLimits = { maxBytes: options.maxUploadBytes, maxMs: options.requestTimeoutMs };

  const finish = (exchange: Exchange): void => {
    const { req, res } = exchange;
    if (res.errored instanceof Error) exchange.outcome = tell(res.errored, exchange.id).code;
    if (!res.writableFinished) {
      if (res.errored == null) exchange.outcome = 'CANCELLED';
    } else if (!req.complete) drain(req, drainLimits);
    const ms = performance.now() - exchange.startedAt;
    metrics.requestFinished(exchange, ms);
    if (exchange.kind !== 'other') log.request(exchange, ms);
  };

  const handler = (req: IncomingMessage, res: ServerResponse): void => {
    const path = pathOf(req.url ?? '');
    const exchange = new Exchange(kindOf(path), req, res, options.requestTimeoutMs);
    metrics.requestStarted(exchange);
    res.once('close', () => finish(exchange));
    // Only a POST has a body that means anything. Unread, it would be held while the answer is made.
    if (req.method !== 'POST' && hasBody(req)) drain(req, drainLimits);
    route(exchange, path).catch((error: unknown) => fail(exchange, error));
  };

  return {
    handler,
    async load() {
      await load();
      await loadCompiler();
    },
    stopTaking() {
      closing = true;
      streams.endSubscriptions();
    },
  };
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

function kindOf(path: string): ExchangeKind {
  if (path === '/graphql') return 'graphql';
  return path.startsWith('/files/') ? 'file' : 'other';
}

/** @throws {Refusal} 405 */
function checkMethod({ req }: Exchange, ...allowed: readonly string[]): void {
  if (allowed.includes(req.method ?? '')) return;
  throw new Refusal(405, 'BAD_USER_INPUT', `Use ${allowed.join(' or ')} here.`, {
    headers: { allow: [...allowed, 'OPTIONS'].join(', ') },
  });
}

/** @throws {Refusal} 503 */
function refuseWhen(closing: boolean): void {
  if (!closing) return;
  throw new Refusal(503, 'SHUTTING_DOWN', 'The gateway is shutting down.', {
    headers: { connection: 'close', 'retry-after': '1' },
  });
}
