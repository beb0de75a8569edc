import type { GraphQLSchema } from 'graphql';
import type { HttpClient } from '../rest/index.ts';
import { printSortedSchema } from '../schema/print.ts';
import { HttpError, shuttingDown, unknownPath } from './errors/http-error.ts';
import type { Endpoint, Endpoints, FindEndpoint } from './http/endpoint-table.ts';
import { createStaticFile, loadOnce, sendFile } from './http/static-file.ts';
import type { Settings } from '../config/read-config.ts';
import type { HttpExchange } from './http/http-exchange.ts';
import { createRequestCheck } from './http/request-checks.ts';
import type { RequestAnswers } from './http/request-handler.ts';
import { send, sendJson } from './http/respond.ts';
import type { Identity } from './identity/index.ts';
import type { Metrics } from './telemetry/metrics.ts';

/** What the endpoints use of the gateway. */
export interface EndpointDependencies {
  readonly metrics: Metrics;
  readonly identity: Identity;
  /** Sends the response to a GraphQL request. */
  readonly answerGraphQL: Endpoint['answer'];
  /** Sends the file of a path. */
  readonly answerFile: Endpoint['answer'];
  /** Returns the schema that /graphql serves. */
  readonly schema: () => Promise<GraphQLSchema>;
  /** Whether the gateway can serve requests. Loads what the first operation needs. */
  readonly ready: () => Promise<boolean>;
}

const readMethods = ['GET', 'HEAD'];
const corsMethods = [...readMethods, 'OPTIONS'];

/**
 * Creates the endpoints of the gateway: /graphql, /files/…, /healthz, /readyz, /metrics, /schema.graphql and /, which
 * redirects to /graphql.
 */
export function createEndpoints(options: Settings, dependencies: EndpointDependencies): Endpoints {
  const { metrics, answerGraphQL, answerFile, ready } = dependencies;
  const endpoints: Record<string, Endpoint> = {
    '/graphql': {
      kind: 'graphql',
      methods: ['GET', 'POST', 'OPTIONS'],
      isLong: true,
      answer: answerGraphQL,
    },
    '/files/*': { kind: 'file', methods: corsMethods, isLong: true, answer: answerFile },
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
  // Who can send an introspection query can read the schema here.
  if (options.introspection) {
    const answer = createSchemaEndpoint(options.runAsHeader, dependencies);
    endpoints['/schema.graphql'] = { methods: corsMethods, answer };
  }
  return endpoints;
}

/** How the gateway answers a request with an endpoint. Rejects with an HttpError, such as 404 without one. */
export function createAnswer(
  options: Settings,
  isClosing: () => boolean,
): RequestAnswers['answer'] {
  const accepts = createRequestCheck(options);
  return async (endpoint, exchange, path) => {
    if (endpoint === undefined) throw unknownPath();
    const { methods = readMethods, anyHost, isLong } = endpoint;
    if (!accepts(exchange, methods, anyHost)) return;
    if (isLong && isClosing()) throw shuttingDown();
    await endpoint.answer(exchange, path);
  };
}

/**
 * Adds paths of plugins to those of the gateway, which take precedence, except that `/` can be a page of a plugin.
 *
 * @param answerByPlugin throws an HttpError with status 404 if no plugin answers
 */
export function withPluginEndpoints(
  find: FindEndpoint,
  answerByPlugin: (exchange: HttpExchange) => Promise<void>,
): FindEndpoint {
  const answer = async (exchange: HttpExchange, path: string): Promise<void> => {
    // Plugins find the path without `..`: a proxy that hides `/status` would pass on `/a/../status`.
    if (URL.parse(`http://localhost${path}`)?.pathname !== path) throw unknownPath();
    await answerByPlugin(exchange);
  };
  return (path, req) => {
    const own = find(path, req);
    if (own === undefined) return { methods: [...readMethods, 'POST'], answer };
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

/**
 * Creates the endpoint that sends the schema in the schema definition language, to the clients that /graphql identifies.
 * It is printed for the first request. Clients revalidate it.
 */
function createSchemaEndpoint(runAsHeader: string, { identity, schema }: EndpointDependencies) {
  const vary = `accept-encoding, authorization, ${runAsHeader}`;
  const print = loadOnce(async () => {
    return createStaticFile('schema.graphql', Buffer.from(printSortedSchema(await schema())));
  });
  return async (exchange: HttpExchange): Promise<void> => {
    await identity.identify(exchange.req.headers);
    await sendFile(exchange, await print(), { 'cache-control': 'private, no-cache', vary });
  };
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
