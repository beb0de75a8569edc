import type { ChangedSecrets } from '../model/identity.ts';
import { createEndpoints, createReadinessCheck } from './endpoints.ts';
import { unknownPath, shuttingDown } from './errors/http-error.ts';
import { createPlayground } from './front-ends.ts';
import { createDownloadHandler } from './files/download-handler.ts';
import { createFileLinks } from './files/file-links.ts';
import { createGraphQLEndpoint } from './graphql/endpoint.ts';
import { hasHttpHooks } from './graphql/http-hooks.ts';
import type { GraphQLDependencies } from './graphql/plugins.ts';
import type { HttpExchange } from './http/http-exchange.ts';
import { checkBodyType } from './http/json-body.ts';
import { requestBytes } from './http/request-memory.ts';
import { createRequestCheck, wantsPage } from './http/request-checks.ts';
import { createRequestHandler } from './http/request-handler.ts';
import { waitForTurn } from './http/turns.ts';
import type { GatewayOptions } from './options.ts';
import { createMcpEndpoint } from './mcp-endpoint.ts';
import { createIdentity } from './identity/index.ts';
import type { SandboxSignIn } from './identity/sandbox-sign-in.ts';

/** The parts that a gateway shares with its process, and extension points. */
export interface GatewayDependencies extends GraphQLDependencies {
  /** Sign-in of the embedded sandbox, served at /sandbox/people (`IDENTITY=service`). Default: none. */
  readonly signIn?: SandboxSignIn | undefined;
}

const graphqlMethods = ['GET', 'POST', 'OPTIONS'];
const fileMethods = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Creates the handler of all endpoints: /graphql, /files/…, /mcp, /healthz, /readyz, /metrics, /schema.graphql, the front end,
 * with an embedded sandbox, /sandbox/people, and the paths of plugins. Opens no connection and no port.
 */
export function createGateway(options: GatewayOptions, dependencies: GatewayDependencies) {
  const { http, log, metrics, signIn, features, plugins = [] } = dependencies;
  let closing = false;
  const identity = createIdentity(options, log.write, signIn?.tokens);
  const fileLinks = createFileLinks(options);
  const accepts = createRequestCheck(options);
  const isReady = createReadinessCheck(http, () => closing);
  const answerFile = createDownloadHandler(options.requestTimeoutMs, http, identity, fileLinks);
  const fileUrlOf = ({ req, caller }: HttpExchange, path: string): string => {
    const base = options.publicUrl ?? `http://${req.headers.host ?? 'localhost'}`;
    const token = caller && identity.holdsCredential ? `?t=${fileLinks.sign(path, caller)}` : '';
    return base + path + token;
  };
  const graphql = createGraphQLEndpoint(options, dependencies, identity, fileUrlOf);
  const playground = options.playground ? createPlayground(options, signIn !== undefined) : null;
  const ready = async (): Promise<boolean> => {
    await graphql.load(); // the first operation must not wait for it
    return isReady();
  };

  const answerByPlugin = async (exchange: HttpExchange): Promise<void> => {
    exchange.memory.hold(requestBytes);
    await graphql.answerPath(exchange);
  };
  const other = createEndpoints(options, {
    accepts,
    metrics,
    identity,
    schema: () => graphql.schema(),
    ready,
    signIn,
    playground,
    answerByPlugin: hasHttpHooks(plugins) ? answerByPlugin : null,
  });
  const answerMcp = createMcpEndpoint(options, identity, graphql);
  const answers = {
    async graphql(exchange: HttpExchange) {
      if (!accepts(exchange, graphqlMethods)) return;
      if (playground !== null && wantsPage(exchange)) {
        await waitForTurn(exchange);
        return playground.sendPage(exchange);
      }
      if (closing) throw shuttingDown();
      exchange.memory.hold(requestBytes);
      checkBodyType(exchange);
      await graphql.answer(exchange);
    },
    async file(exchange: HttpExchange) {
      if (!accepts(exchange, fileMethods)) return;
      if (closing) throw shuttingDown();
      exchange.memory.hold(requestBytes);
      await answerFile(exchange);
    },
    async mcp(exchange: HttpExchange) {
      if (!options.mcp) throw unknownPath();
      accepts(exchange, ['POST']);
      if (closing) throw shuttingDown();
      exchange.memory.hold(requestBytes);
      await answerMcp(exchange);
    },
    other,
  };

  return {
    handler: createRequestHandler(answers, options, {
      log,
      metrics,
      observer: dependencies.features?.requestObserver ?? null,
    }),
    /**
     * Loads what the first operation needs. `/readyz` waits for it.
     *
     * @throws {ManifestError} if the manifest of trusted documents is invalid
     */
    async load(): Promise<void> {
      await graphql.load();
      await features?.executor.load();
    },
    /** Reports a write to a document by another process. Affected subscriptions are polled at once. */
    documentWritten: graphql.documentWritten,
    /** Uses other secrets from now on. */
    replaceSecrets({ jwtSecret, fileUrlSecret }: ChangedSecrets): void {
      if (jwtSecret !== null) identity.replaceJwtSecret?.(jwtSecret);
      if (fileUrlSecret !== null) fileLinks.replaceSecret(fileUrlSecret);
    },
    /** The gateway is no longer ready and rejects new requests; running ones continue. */
    stopAccepting(): void {
      closing = true;
      graphql.endSubscriptions();
    },
  };
}
