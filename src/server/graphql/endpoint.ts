import type { GraphQLSchema } from 'graphql';
import { mergeParts } from '../feature.ts';
import { loadOnce } from '../http/front-end.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import type { Settings } from '../../config/read-config.ts';
import { joinObservers } from '../http/request-observer.ts';
import type { Identity } from '../identity/index.ts';
import type { GraphQLDependencies } from './plugins.ts';

/**
 * Creates the GraphQL server. Yoga is loaded by `load` or with the first request, so that the port can listen before.
 *
 * @param fileUrlOf returns the URL at which this gateway serves a file to the caller of a request
 */
export function createGraphQLEndpoint(
  settings: Settings,
  dependencies: GraphQLDependencies,
  identity: Identity,
  fileUrlOf: (exchange: HttpExchange, path: string) => string,
) {
  const { http, features = mergeParts([]) } = dependencies;

  const createFeaturePlugins = loadOnce(async () => {
    const gateway = { http, requestObserver: joinObservers(features.observers) };
    return (await Promise.all(features.plugins.map((create) => create(gateway)))).flat();
  });
  const loadYoga = async () => {
    const [{ createGraphQL }, featurePlugins] = await Promise.all([
      import('./yoga.ts'),
      createFeaturePlugins(),
    ]);
    const server = createGraphQL(await dependencies.schema(), settings, {
      ...dependencies,
      identity,
      featurePlugins,
      fileUrlOf,
    });
    await features.run('onReady', server);
    return server;
  };
  const load = loadOnce(loadYoga);

  return {
    /** Sends the response to a GraphQL request. */
    answer: async (exchange: HttpExchange): Promise<void> => (await load()).answer(exchange),
    /** Sends the response of a plugin to a request for a path of its own. @throws {HttpError} 404 if none answers */
    answerPath: async (exchange: HttpExchange): Promise<void> =>
      (await load()).answerPath(exchange),
    /** The schema that is served. */
    schema: async (): Promise<GraphQLSchema> => (await load()).schema,
    /**
     * Loads what the first operation needs. Later calls wait for the same, or load again after a failure.
     *
     * @throws what a feature throws
     */
    async load(): Promise<void> {
      await load();
    },
  };
}
