import type { GraphQLSchema } from 'graphql';
import { loadOnce } from '../model/common.ts';
import type { HttpClient } from '../rest/index.ts';
import { printSortedSchema } from '../schema/print.ts';
import { HttpError, unknownPath } from './errors/http-error.ts';
import {
  readMethods,
  type Endpoint,
  type Endpoints,
  type FindEndpoint,
} from './http/endpoint-table.ts';
import { createStaticFile, sendFile } from './http/static-file.ts';
import type { Settings } from '../config/read-config.ts';
import type { HttpExchange } from './http/http-exchange.ts';
import { send, sendJson } from './http/respond.ts';
import type { Identity } from './identity/index.ts';
import type { Metrics } from './telemetry/metrics.ts';

export interface EndpointDependencies {
  readonly metrics: Metrics;
  readonly identity: Identity;
  readonly answerGraphQL: Endpoint['answer'];
  readonly answerFile: Endpoint['answer'];
  readonly schema: () => Promise<GraphQLSchema>;
  readonly ready: () => Promise<boolean>;
}

const corsMethods = [...readMethods, 'OPTIONS'];

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
