import { lexicographicSortSchema, printSchema, type GraphQLSchema } from 'graphql';
import type { HttpClient } from '../rest/client/http-client.ts';
import { isLoopback } from '../model/identity.ts';
import { HttpError, unknownPath } from './errors/http-error.ts';
import { createInbox, playgroundAssetsPath } from './front-ends.ts';
import { createStaticFile, loadOnce, sendFile, type FrontEndHandler } from './http/front-end.ts';
import type { GatewayOptions } from './options.ts';
import type { HttpExchange } from './http/http-exchange.ts';
import { requireSameOrigin, type createRequestCheck } from './http/request-checks.ts';
import { send, sendJson } from './http/respond.ts';
import { waitForTurn } from './http/turns.ts';
import type { Identity } from './identity/index.ts';
import type { SandboxSignIn } from './identity/sandbox-sign-in.ts';
import { resourceMetadataPaths, sendResourceMetadata } from './mcp-endpoint.ts';
import type { Metrics } from './telemetry/metrics.ts';

/** What these endpoints use of the gateway. */
export interface EndpointDependencies {
  readonly accepts: ReturnType<typeof createRequestCheck>;
  readonly metrics: Metrics;
  readonly identity: Identity;
  /** Returns the schema that /graphql serves. */
  readonly schema: () => Promise<GraphQLSchema>;
  /** Whether the gateway can serve requests. Loads what the first operation needs. */
  readonly ready: () => Promise<boolean>;
  /** Sign-in of the embedded sandbox. */
  readonly signIn: SandboxSignIn | undefined;
  /** Null if the playground is off. */
  readonly playground: FrontEndHandler | null;
  /** Answers paths of plugins. Null if no plugin can have any. @throws {HttpError} 404 if none answers */
  readonly answerByPlugin: ((exchange: HttpExchange) => Promise<void>) | null;
}

const readMethods = ['GET', 'HEAD'];
const corsMethods = [...readMethods, 'OPTIONS'];

interface Endpoint {
  /** Default: GET and HEAD. */
  readonly methods?: readonly string[];
  /** Whether it answers under any host name. Its response contains nothing that a page of another site must not read. */
  readonly anyHost?: boolean;
  /** Whether it is answered at once, although others wait for their turn. */
  readonly isProbe?: boolean;
  answer(exchange: HttpExchange, path: string): Promise<void> | void;
}

/**
 * Creates the handler of all other paths: /healthz, /readyz, /metrics, /schema.graphql, / or the front end, the files
 * of the playground, with an embedded sandbox, /sandbox/people, and the paths of plugins, of which / can be one. It
 * rejects with an HttpError: 404 for an unknown path, 405 for any method but GET and HEAD.
 */
export function createEndpoints(
  options: GatewayOptions,
  dependencies: EndpointDependencies,
): (exchange: HttpExchange, path: string) => Promise<void> {
  const { accepts, metrics, ready, signIn, playground, answerByPlugin } = dependencies;
  const endpoints: Record<string, Endpoint | undefined> = {
    '/': {
      anyHost: true,
      answer: (exchange) => send(exchange, 302, { location: `${options.publicUrl ?? ''}/graphql` }),
    },
    '/healthz': {
      anyHost: true,
      isProbe: true,
      answer: (exchange) => sendJson(exchange, 200, { status: 'ok' }),
    },
    '/readyz': {
      anyHost: true,
      isProbe: true,
      async answer(exchange) {
        const isReady = await ready();
        sendJson(exchange, isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready' });
      },
    },
    '/metrics': {
      async answer(exchange) {
        send(exchange, 200, { 'content-type': metrics.contentType }, await metrics.text());
      },
    },
  };
  if (options.mcp && options.identity.mode === 'jwt') {
    const answer = (exchange: HttpExchange): void => sendResourceMetadata(exchange, options);
    for (const path of resourceMetadataPaths) endpoints[path] = { answer };
  }
  // Who can send an introspection query can read the schema here.
  if (options.introspection && !options.persistedOnly) {
    const answer = createSchemaEndpoint(options.runAsHeader, dependencies);
    endpoints['/schema.graphql'] = { methods: corsMethods, answer };
  }
  if (signIn !== undefined) {
    const answer = async (exchange: HttpExchange): Promise<void> => {
      requireSameOrigin(exchange);
      checkSignIn(exchange, options);
      sendJson(exchange, 200, await signIn.people());
    };
    endpoints['/sandbox/people'] = { methods: corsMethods, answer };
  }
  const frontEnd = options.frontEnd ? createInbox(options.frontEnd) : null;
  const find: FindEndpoint = (path) => {
    if (playground !== null && path.startsWith(playgroundAssetsPath)) {
      return { answer: playground.sendAsset };
    }
    if (frontEnd !== null && path.startsWith('/assets/')) return { answer: frontEnd.sendAsset };
    if (frontEnd !== null && isPageRoute(path)) return { answer: frontEnd.sendPage };
    return endpoints[path];
  };
  const findWithPlugins = answerByPlugin && createPluginEndpoints(answerByPlugin, find);

  return async (exchange, path) => {
    const endpoint = (findWithPlugins ?? find)(path);
    if (endpoint == null) throw unknownPath();
    const { methods = readMethods, anyHost, isProbe } = endpoint;
    if (!accepts(exchange, methods, anyHost)) return;
    if (!isProbe) await waitForTurn(exchange);
    await endpoint.answer(exchange, path);
  };
}

type FindEndpoint = (path: string) => Endpoint | null | undefined;

/** Adds paths of plugins to those of the gateway, which take precedence, except that `/` can be a page of a plugin. */
function createPluginEndpoints(
  answerByPlugin: (exchange: HttpExchange) => Promise<void>,
  find: FindEndpoint,
): FindEndpoint {
  const answer = async (exchange: HttpExchange, path: string): Promise<void> => {
    // Plugins find the path without `..`: a proxy that hides `/status` would pass on `/a/../status`.
    if (URL.parse(`http://localhost${path}`)?.pathname !== path) throw unknownPath();
    await answerByPlugin(exchange);
  };
  return (path) => {
    const own = find(path);
    if (own == null) return { answer };
    if (path !== '/') return own;
    return {
      async answer(exchange) {
        try {
          await answer(exchange, path);
        } catch (error) {
          if (!(error instanceof HttpError) || error.status !== 404) throw error;
          await own.answer(exchange, path);
        }
      },
    };
  };
}

/** Whether the front end answers this path with its page: `/`, and the routes `/app` and `/app/…`. */
function isPageRoute(path: string): boolean {
  return path === '/' || path === '/app' || path.startsWith('/app/');
}

/**
 * Creates the endpoint that sends the schema in the schema definition language, to the clients that /graphql identifies.
 * It is printed for the first request. Clients revalidate it.
 */
function createSchemaEndpoint(runAsHeader: string, { identity, schema }: EndpointDependencies) {
  const vary = `accept-encoding, authorization, ${runAsHeader}`;
  const print = loadOnce(async () => {
    const text = `${printSchema(lexicographicSortSchema(await schema()))}\n`;
    return createStaticFile('schema.graphql', Buffer.from(text));
  });
  return async (exchange: HttpExchange): Promise<void> => {
    await identity.identify(exchange.req.headers);
    await sendFile(exchange, await print(), { 'cache-control': 'private, no-cache', vary });
  };
}

/**
 * Rejects clients that cannot get tokens of the sandbox's people, unless any can: those whose connection or host name is
 * not local. A proxy on this machine usually passes on the host name that its clients use.
 *
 * @throws {HttpError} 404
 */
function checkSignIn({ req }: HttpExchange, { sandboxSignIn }: GatewayOptions): void {
  const name = req.headers.host?.replace(/:\d*$/, '') ?? 'localhost';
  const isLocal = isLoopback(req.socket.remoteAddress ?? '') && isLoopback(name);
  if (isLocal || sandboxSignIn === 'any') return;
  const message =
    'The people of the sandbox can sign in from its own machine only. SANDBOX_SIGN_IN=any lets every client.';
  throw new HttpError(404, 'NOT_FOUND', message);
}

const pingIntervalMs = 1000; // at most one ping per second, however often readiness is requested

/**
 * Creates the function that checks whether the gateway can serve requests: the DMS responds, and no shutdown is in
 * progress. Costs at most one ping of the DMS per second, and none if nobody requests it.
 */
export function createReadinessCheck(
  http: HttpClient,
  isClosing: () => boolean,
): () => Promise<boolean> {
  let lastPing: Promise<boolean> = Promise.resolve(false);
  let nextPingAt = -Infinity;
  const ping = async (): Promise<boolean> => {
    const startedAt = performance.now();
    nextPingAt = Infinity; // a queued ping could exceed its time limit although the DMS responds
    try {
      return await http.ping();
    } catch {
      return false;
    } finally {
      nextPingAt = startedAt + pingIntervalMs;
    }
  };
  return async () => {
    if (isClosing()) return false;
    if (performance.now() > nextPingAt) lastPing = ping();
    return (await lastPing) && !isClosing();
  };
}
