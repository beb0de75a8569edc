import { loadOnce } from '../model/common.ts';
import type { ChangedSecrets } from '../model/identity.ts';
import { createEndpoints, createReadinessCheck, withPluginEndpoints } from './endpoints.ts';
import { createDownloadHandler } from './files/download-handler.ts';
import { createFileLinks } from './files/file-links.ts';
import type { GraphQLDependencies } from './graphql/yoga.ts';
import { joinEndpoints, type Endpoints } from './http/endpoint-table.ts';
import type { HttpExchange } from './http/http-exchange.ts';
import { createRequestHandler } from './http/request-handler.ts';
import { joinObservers } from './http/request-observer.ts';
import type { Settings } from '../config/read-config.ts';
import { createIdentity } from './identity/index.ts';

/** Hooks of Yoga's HTTP layer. If a plugin of a team has one, it is also asked for paths that the gateway does not have. */
const httpHooks = [
  'onPluginInit',
  'onYogaInit',
  'onRequest',
  'onRequestParse',
  'onResultProcess',
  'onResponse',
  'instrumentation',
];

export function createGateway(settings: Settings, dependencies: GraphQLDependencies) {
  const { http, log, metrics, features, keyFetch } = dependencies;
  const hasHttpHooks = features.teamPlugins.some((plugin) =>
    httpHooks.some((hook) => hook in plugin),
  );
  let closing = false;
  const identity = createIdentity(settings, log.write, features.provides.verifyToken, keyFetch);
  const fileLinks = createFileLinks(settings);
  const isClosing = (): boolean => closing;
  const isReady = createReadinessCheck(http, isClosing);
  const answerFile = createDownloadHandler(http, identity, fileLinks);
  const fileUrlOf = ({ req, caller }: HttpExchange, path: string): string => {
    const base = settings.publicUrl ?? `http://${req.headers.host ?? 'localhost'}`;
    const token = caller && identity.holdsCredential ? `?t=${fileLinks.sign(path, caller)}` : '';
    return base + path + token;
  };
  const createFeaturePlugins = loadOnce(async () => {
    const gateway = { http, requestObserver: joinObservers(features.observers) };
    return (await Promise.all(features.plugins.map((create) => create(gateway)))).flat();
  });
  const load = loadOnce(async () => {
    const [{ createGraphQL }, featurePlugins] = await Promise.all([
      import('./graphql/yoga.ts'),
      createFeaturePlugins(),
    ]);
    const server = createGraphQL(await dependencies.schema(), settings, {
      ...dependencies,
      identity,
      featurePlugins,
      fileUrlOf,
      hasHttpHooks,
    });
    await features.run('onReady', server);
    return server;
  });
  const ready = async (): Promise<boolean> => {
    await load(); // the first operation must not wait for it
    return isReady();
  };

  const own = createEndpoints(settings, {
    metrics,
    identity,
    answerGraphQL: async (exchange) => (await load()).answer(exchange),
    answerFile,
    schema: async () => (await load()).schema,
    ready,
  });
  const hasEndpoint = (path: string): boolean => tables.some((table) => Object.hasOwn(table, path));
  const tables: readonly Endpoints[] = [
    ...features.endpoints.map((create) => create({ identity, load, hasEndpoint })),
    own,
  ];
  const findOwn = joinEndpoints(tables);
  const answerPath = async (exchange: HttpExchange) => (await load()).answerPath(exchange);
  const find = hasHttpHooks ? withPluginEndpoints(findOwn, answerPath) : findOwn;

  return {
    hasHttpHooks,
    handler: createRequestHandler(find, isClosing, settings, {
      log,
      metrics,
      observer: joinObservers(features.observers),
    }),
    async load(): Promise<void> {
      await load();
      await dependencies.executor?.load();
    },
    replaceSecrets({ jwtSecret, fileUrlSecret }: ChangedSecrets): void {
      if (jwtSecret !== null) identity.replaceJwtSecret?.(jwtSecret);
      if (fileUrlSecret !== null) fileLinks.replaceSecret(fileUrlSecret);
    },
    stopAccepting(): void {
      closing = true;
      void features.run('onStopping');
    },
  };
}
