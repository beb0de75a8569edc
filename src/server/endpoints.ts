import { lexicographicSortSchema, printSchema, type GraphQLSchema } from 'graphql';
import type { HttpClient } from '../rest/client/http-client.ts';
import { isLoopback } from '../model/loopback.ts';
import { HttpError, notFound } from './errors/http-error.ts';
import { playgroundAssetsPath, type Playground } from './graphql/playground/index.ts';
import type { Cors } from './http/cors.ts';
import {
  createFrontEndHandler,
  createStaticFile,
  isFrontEndPath,
  sendFile,
  type FrontEnd,
  type StaticFile,
} from './http/front-end.ts';
import type { HttpExchange } from './http/http-exchange.ts';
import { requireMethod, requireSameOrigin } from './http/request-checks.ts';
import { send, sendJson } from './http/respond.ts';
import type { Identity } from './identity/index.ts';
import type { SandboxSignIn } from './identity/sandbox-sign-in.ts';
import { resourceMetadataPaths, sendResourceMetadata, type McpOptions } from './mcp-endpoint.ts';
import type { Metrics } from './telemetry/metrics.ts';

/** Settings of the endpoints besides /graphql and /files/. */
export interface EndpointOptions extends McpOptions {
  /** Whether /mcp exists. */
  readonly mcp: boolean;
  /** A front end to serve at `/`. Default: none, and `/` redirects to `/graphql`. */
  readonly frontEnd?: FrontEnd | null;
  /** Which clients can get tokens of the sandbox's people: those on this machine, or any. */
  readonly sandboxSignIn: 'local' | 'any';
  /** Whether introspection is allowed. */
  readonly introspection: boolean;
  /** Whether only trusted documents are executed. */
  readonly persistedOnly: boolean;
}

/** What these endpoints use of the gateway. */
export interface EndpointDependencies {
  readonly cors: Cors;
  readonly checkHost: (exchange: HttpExchange) => void;
  readonly metrics: Metrics;
  readonly identity: Identity;
  /** Returns the schema that /graphql serves. */
  readonly schema: () => Promise<GraphQLSchema>;
  /** Whether the gateway can serve requests. Loads what the first operation needs. */
  readonly ready: () => Promise<boolean>;
  /** Sign-in of the embedded sandbox. */
  readonly signIn: SandboxSignIn | undefined;
  /** Null if the playground is off. */
  readonly playground: Playground | null;
}

const readMethods = ['GET', 'HEAD'];
const corsMethods = [...readMethods, 'OPTIONS'];

type Endpoint = (exchange: HttpExchange) => Promise<void> | void;

/**
 * Creates the handler of all other paths: /healthz, /readyz, /metrics, /schema.graphql, / or the front end, the files
 * of the playground and, with an embedded sandbox, /sandbox/people. It rejects with an HttpError: 404 for an unknown path, 405 for any method but GET and HEAD.
 */
export function createEndpoints(
  options: EndpointOptions,
  dependencies: EndpointDependencies,
): (exchange: HttpExchange, path: string) => Promise<void> {
  const { cors, checkHost, metrics, ready, signIn, playground } = dependencies;
  // Probes use any host name, and their responses contain nothing that a page of another site must not read.
  const endpoints = new Map<string, Endpoint>([
    ['/healthz', (exchange) => sendJson(exchange, 200, { status: 'ok' })],
    [
      '/readyz',
      async (exchange) => {
        const isReady = await ready();
        sendJson(exchange, isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready' });
      },
    ],
    [
      '/metrics',
      async (exchange) => {
        checkHost(exchange);
        send(exchange, 200, { 'content-type': metrics.contentType }, await metrics.text());
      },
    ],
    ...metadataEndpoints(options, checkHost),
    ['/', (exchange) => send(exchange, 302, { location: `${options.publicUrl ?? ''}/graphql` })],
  ]);
  // Who can send an introspection query can read the schema here.
  const isSchemaPublic = options.introspection && !options.persistedOnly;
  const answerSchema = isSchemaPublic ? createSchemaEndpoint(dependencies) : null;
  const answerFrontEnd = options.frontEnd ? createFrontEndHandler(options.frontEnd) : null;

  return async (exchange, path) => {
    if (answerFrontEnd !== null && isFrontEndPath(path)) {
      checkHost(exchange); // the front end could not use /graphql under another host name
      requireMethod(exchange, readMethods);
      return answerFrontEnd(exchange, path);
    }
    if (playground !== null && path.startsWith(playgroundAssetsPath)) {
      checkHost(exchange);
      requireMethod(exchange, readMethods);
      return playground.sendAsset(exchange, path);
    }
    if (path === '/schema.graphql' && answerSchema !== null) return answerSchema(exchange);
    if (path === '/sandbox/people' && signIn !== undefined) {
      checkHost(exchange);
      if (cors.handlePreflight(exchange, corsMethods)) return;
      requireMethod(exchange, corsMethods);
      requireSameOrigin(exchange);
      if (!canSignIn(exchange, options)) {
        const message =
          'The people of the sandbox can sign in from its own machine only. SANDBOX_SIGN_IN=any lets every client.';
        throw new HttpError(404, 'NOT_FOUND', message);
      }
      return sendJson(exchange, 200, await signIn.people());
    }
    const endpoint = endpoints.get(path);
    if (endpoint === undefined) throw notFound();
    requireMethod(exchange, readMethods);
    await endpoint(exchange);
  };
}

/** Agents find the issuer of their tokens here, if the gateway verifies tokens. */
function metadataEndpoints(
  options: EndpointOptions,
  checkHost: EndpointDependencies['checkHost'],
): [string, Endpoint][] {
  if (!options.mcp || options.identity.mode !== 'jwt') return [];
  return resourceMetadataPaths.map((path) => [
    path,
    (exchange) => {
      checkHost(exchange);
      sendResourceMetadata(exchange, options);
    },
  ]);
}

/**
 * Creates the endpoint that sends the schema in the schema definition language, to the clients that /graphql identifies.
 * It is printed for the first request. Clients revalidate it.
 */
function createSchemaEndpoint({ cors, checkHost, identity, schema }: EndpointDependencies) {
  let printed: Promise<StaticFile> | null = null;
  const print = async (): Promise<StaticFile> => {
    const text = `${printSchema(lexicographicSortSchema(await schema()))}\n`;
    return createStaticFile('schema.graphql', Buffer.from(text));
  };
  return async (exchange: HttpExchange): Promise<void> => {
    checkHost(exchange);
    if (cors.handlePreflight(exchange, corsMethods)) return;
    requireMethod(exchange, corsMethods);
    await identity.identify(exchange.req.headers);
    printed ??= print();
    printed.catch(() => (printed = null)); // failures are not cached
    sendFile(exchange, await printed, { 'cache-control': 'private, no-cache' });
  };
}

/**
 * Whether the client can get tokens of the sandbox's people: any, or one whose connection and host name are local. A
 * proxy on this machine usually passes on the host name that its clients use.
 */
function canSignIn(
  { req }: HttpExchange,
  { sandboxSignIn }: Pick<EndpointOptions, 'sandboxSignIn'>,
): boolean {
  if (sandboxSignIn === 'any') return true;
  const name = req.headers.host?.replace(/:\d*$/, '') ?? 'localhost';
  return isLoopback(req.socket.remoteAddress ?? '') && isLoopback(name);
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
  let pingedAt = -Infinity;
  let isPinging = false;
  const ping = async (): Promise<boolean> => {
    pingedAt = performance.now();
    isPinging = true;
    try {
      return await http.ping();
    } catch {
      return false;
    } finally {
      isPinging = false;
    }
  };
  return async () => {
    if (isClosing()) return false;
    // One ping at a time: a queued ping could exceed its time limit although the DMS responds.
    if (!isPinging && performance.now() - pingedAt > pingIntervalMs) lastPing = ping();
    return (await lastPing) && !isClosing();
  };
}
