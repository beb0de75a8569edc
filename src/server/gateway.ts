import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import type { Caller } from '../rest/client/caller.ts';
import type { LiveClock } from '../live/clock.ts';
import { createLive, type LiveOptions } from '../live/index.ts';
import type { DocumentWrite } from '../rest/client/document-write.ts';
import type { HttpClient } from '../rest/client/http-client.ts';
import { schema } from '../schema/index.ts';
import { loadCompiler } from './graphql/compiled-operations.ts';
import { createCors, type CorsOptions } from './http/cors.ts';
import { createDownloadHandler, filePath } from './files/download-handler.ts';
import { discardBody, hasBody } from './http/discard-body.ts';
import { toClientError } from './errors/client-error.ts';
import { HttpExchange, type RecordRequest, type RequestKind } from './http/http-exchange.ts';
import { requireSameOrigin } from './http/same-origin.ts';
import { createFileLinks, type FileLinkOptions } from './files/file-links.ts';
import { createHealth } from './http/health.ts';
import { createFrontEndHandler, isFrontEndPath, type FrontEnd } from './http/front-end.ts';
import type { GatewayHandler } from './http/listen.ts';
import { createIdentity, type IdentityOptions } from './identity/index.ts';
import type { SandboxSignIn } from './identity/sandbox-sign-in.ts';
import { createHostCheck, type AllowedHostOptions } from './http/allowed-hosts.ts';
import type { Log } from './telemetry/log.ts';
import type { Tracing } from './telemetry/tracing.ts';
import type { Metrics } from './telemetry/metrics.ts';
import { sendPlayground, wantsPlayground } from './graphql/playground/index.ts';
import { HttpError } from './errors/http-error.ts';
import type { GatewayPlugin, PluginOptions } from './graphql/plugins.ts';
import { send, sendError, sendJson, sendResponse } from './http/respond.ts';
import { createPersistedDocuments } from './graphql/persisted/persisted-documents.ts';
import type { SharedDocuments } from './graphql/persisted/registered-documents.ts';
import { createResultStreams } from './graphql/result-streams.ts';
import { createOperationRecord } from './graphql/plugins/use-telemetry.ts';
import { checkBodyType } from './graphql/plugins/use-request-parser.ts';
import type { AnswerGraphQL } from './graphql/yoga.ts';

/** All settings of the gateway's HTTP endpoints. */
export type GatewayOptions = PluginOptions &
  IdentityOptions &
  CorsOptions &
  FileLinkOptions &
  AllowedHostOptions &
  Pick<LiveOptions, 'livePollMs'> & {
    readonly playground: boolean;
    /** Whether the schema is served as a subgraph. */
    readonly federation: boolean;
    /** A front end to serve at `/`. Default: none, and `/` redirects to `/graphql`. */
    readonly frontEnd?: FrontEnd | null;
  };

/** The parts that a gateway shares with its process, and extension points. */
export interface GatewayDependencies {
  readonly http: HttpClient;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Default: none, tracing is off. */
  readonly tracing?: Tracing | null;
  /** Timers of the polls for subscriptions. Default: the system's. */
  readonly liveClock?: LiveClock;
  /** Documents that clients have registered with any process. Default: each process has its own. */
  readonly sharedDocuments?: SharedDocuments | undefined;
  /** Additional Yoga plugins, which see every operation. Default: none. */
  readonly plugins?: readonly GatewayPlugin[];
  /** Sign-in of the embedded sandbox, served at /sandbox/people (`IDENTITY=service`). Default: none. */
  readonly signIn?: SandboxSignIn | undefined;
  /** A schema to serve instead of the gateway's own, for tests of the pipeline. */
  readonly schema?: GraphQLSchema;
}

/** The request handler of the gateway. */
export interface Gateway extends GatewayHandler {
  /**
   * Loads what the first operation needs. `/readyz` waits for it.
   *
   * @throws {ManifestError} if the manifest of trusted documents is invalid
   */
  load(): Promise<void>;
  /** Reports a write to a document by another process. Affected subscriptions are polled at once. */
  readonly documentWritten: (write: DocumentWrite) => void;
}

const peoplePath = '/sandbox/people';

/**
 * Creates the handler of all endpoints: /graphql, /files/…, /healthz, /readyz, /metrics, the front end and, with an
 * embedded sandbox, /sandbox/people. Opens no connection and no port.
 */
export function createGateway(options: GatewayOptions, dependencies: GatewayDependencies): Gateway {
  const { http, log, metrics, tracing = null, signIn } = dependencies;
  let closing = false;
  const identity = createIdentity(options, log.write, signIn?.tokens);
  const fileLinks = createFileLinks(options);
  const checkHost = createHostCheck(options);
  const cors = createCors(options);
  const health = createHealth(http, () => closing);
  const answerFile = createDownloadHandler(options, http, identity, fileLinks);
  const answerFrontEnd = options.frontEnd ? createFrontEndHandler(options.frontEnd) : null;

  const fileUrlFor =
    ({ req }: HttpExchange, { runAs }: Caller) =>
    (segments: readonly string[]): string => {
      const path = filePath(segments);
      const base = options.publicUrl ?? `http://${req.headers.host ?? 'localhost'}`;
      return identity.holdsCredential
        ? `${base}${path}?t=${fileLinks.sign(path, runAs)}`
        : base + path;
    };
  const streams = createResultStreams();
  const { liveClock } = dependencies;
  const live = createLive(
    http,
    {
      ...options,
      timeoutMs: options.requestTimeoutMs,
      tracing: tracing?.polls ?? null,
      ...(liveClock && { clock: liveClock }),
    },
    metrics.liveObserver,
  );
  http.addDocumentWriteListener(live.documentWritten);
  let loading: Promise<AnswerGraphQL> | null = null;
  const load = (): Promise<AnswerGraphQL> => (loading ??= loadGraphQL());
  const loadGraphQL = async (): Promise<AnswerGraphQL> => {
    const [{ createGraphQL }, persisted] = await Promise.all([
      import('./graphql/yoga.ts'),
      createPersistedDocuments(options, dependencies.sharedDocuments),
    ]);
    const added = dependencies.plugins ?? [];
    const served = dependencies.schema ?? (await publicSchema(options));
    return createGraphQL(served, options, {
      http,
      log,
      recordOperation: createOperationRecord(metrics, log),
      identity,
      streams,
      live,
      persisted,
      fileUrlFor,
      added,
    });
  };

  const graphql = async (exchange: HttpExchange): Promise<void> => {
    if (cors.handlePreflight(exchange)) return;
    if (options.playground && wantsPlayground(exchange)) {
      await sendPlayground(exchange, { ...options, hasPeople: signIn !== undefined });
      return;
    }
    rejectWhen(closing);
    requireMethod(exchange, 'GET', 'POST');
    checkBodyType(exchange);
    const answer = await load();
    await sendResponse(exchange, await answer(exchange));
  };

  const file = async (exchange: HttpExchange): Promise<void> => {
    if (cors.handlePreflight(exchange)) return;
    requireMethod(exchange, 'GET', 'HEAD');
    rejectWhen(closing);
    await answerFile(exchange);
  };

  const endpoints: Record<string, (exchange: HttpExchange) => Promise<void>> = {
    '/healthz': async (exchange) => sendJson(exchange, 200, { status: 'ok' }),
    '/readyz': async (exchange) => {
      await load(); // the first operation must not wait for it
      const ready = await health.ready();
      sendJson(exchange, ready ? 200 : 503, { status: ready ? 'ready' : 'not ready' });
    },
    '/metrics': async (exchange) =>
      send(exchange, 200, { 'content-type': metrics.contentType }, await metrics.text()),
    '/': async (exchange) =>
      send(exchange, 302, { location: `${options.publicUrl ?? ''}/graphql` }),
  };

  const answerEndpoint = async (exchange: HttpExchange, path: string): Promise<void> => {
    const endpoint = Object.hasOwn(endpoints, path) ? endpoints[path] : undefined;
    if (endpoint === undefined) {
      throw new HttpError(404, 'NOT_FOUND', 'There is no resource at this URL.');
    }
    requireMethod(exchange, 'GET', 'HEAD');
    await endpoint(exchange);
  };

  const answerFrontEndPath = async (exchange: HttpExchange, path: string): Promise<boolean> => {
    if (answerFrontEnd === null || !isFrontEndPath(path)) return false;
    checkHost(exchange); // the front end could not use /graphql under another host name
    requireMethod(exchange, 'GET', 'HEAD');
    await answerFrontEnd(exchange, path);
    return true;
  };

  const people = async (exchange: HttpExchange, { people: list }: SandboxSignIn): Promise<void> => {
    checkHost(exchange);
    if (cors.handlePreflight(exchange)) return;
    requireMethod(exchange, 'GET', 'HEAD');
    requireSameOrigin(exchange);
    sendJson(exchange, 200, await list());
  };

  const route = async (exchange: HttpExchange, path: string): Promise<void> => {
    if (exchange.kind === 'other') {
      if (await answerFrontEndPath(exchange, path)) return;
      if (path === peoplePath && signIn !== undefined) return people(exchange, signIn);
      // Probes use any host name, and the responses contain no user data.
      return answerEndpoint(exchange, path);
    }
    checkHost(exchange);
    return exchange.kind === 'graphql' ? graphql(exchange) : file(exchange);
  };

  const fail = (exchange: HttpExchange, error: unknown): void => {
    if (exchange.isAbandoned) return;
    const clientError = toClientError(error, exchange.id);
    if (clientError.cause !== null) log.failure(exchange, clientError.cause);
    sendError(exchange, clientError);
  };

  const discardLimits = { maxBytes: options.maxUploadBytes, maxMs: options.requestTimeoutMs };

  /** Records what Yoga does not receive: files, rejected requests, and health checks, which are not logged. */
  const recordRequest: RecordRequest = (exchange, ms) => {
    metrics.requestFinished(exchange, ms);
    if (exchange.kind !== 'other') log.request(exchange, ms);
  };

  const finish = (exchange: HttpExchange): void => {
    const { req, res } = exchange;
    if (res.errored instanceof Error)
      exchange.outcome = toClientError(res.errored, exchange.id).code;
    if (!res.writableFinished) {
      if (res.errored == null) exchange.outcome = 'CANCELLED';
    } else if (!req.complete) discardBody(req, discardLimits);
    exchange.onClose?.();
    const status = res.headersSent ? res.statusCode : null;
    exchange.trace?.end(status, exchange.outcome, res.writableFinished);
    (exchange.record ?? recordRequest)(exchange, performance.now() - exchange.startedAt);
  };

  const handler = (req: IncomingMessage, res: ServerResponse): void => {
    const path = pathOf(req.url ?? '');
    const exchange = new HttpExchange(kindOf(path), req, res, options.requestTimeoutMs);
    if (tracing !== null && exchange.kind !== 'other') {
      exchange.trace = tracing.startRequest(req, exchange.kind === 'graphql' ? path : null);
    }
    metrics.requestStarted(exchange);
    res.once('close', () => finish(exchange));
    // Only the body of a POST has a meaning. Any other body is discarded at once, so that it does not stay in memory.
    if (req.method !== 'POST' && hasBody(req)) discardBody(req, discardLimits);
    route(exchange, path).catch((error: unknown) => fail(exchange, error));
  };

  return {
    handler,
    async load() {
      await load();
      await loadCompiler();
    },
    documentWritten: live.documentWritten,
    stopAccepting() {
      closing = true;
      streams.endSubscriptions();
    },
  };
}

async function publicSchema(options: GatewayOptions): Promise<GraphQLSchema> {
  if (!options.federation) return schema;
  const { createSubgraphSchema } = await import('../schema/federation/subgraph-schema.ts');
  return createSubgraphSchema(schema, options);
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

function kindOf(path: string): RequestKind {
  if (path === '/graphql') return 'graphql';
  return path.startsWith('/files/') ? 'file' : 'other';
}

/** @throws {HttpError} 405 */
function requireMethod({ req }: HttpExchange, ...allowed: readonly string[]): void {
  if (allowed.includes(req.method ?? '')) return;
  throw new HttpError(
    405,
    'BAD_USER_INPUT',
    `The method is not allowed at this URL. Use ${allowed.join(' or ')}.`,
    {
      headers: { allow: [...allowed, 'OPTIONS'].join(', ') },
    },
  );
}

/** @throws {HttpError} 503 */
function rejectWhen(closing: boolean): void {
  if (!closing) return;
  throw new HttpError(503, 'SHUTTING_DOWN', 'The gateway is shutting down. Try again.', {
    headers: { connection: 'close', 'retry-after': '1' },
  });
}
