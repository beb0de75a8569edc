import type { GraphQLSchema } from 'graphql';
import { Live } from '../../live/index.ts';
import { schemaWith } from '../../schema/index.ts';
import { loadOnce } from '../http/front-end.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import type { ExecuteDocument } from '../../mcp/index.ts';
import type { GatewayOptions } from '../options.ts';
import { noFeatures } from '../feature.ts';
import type { Identity } from '../identity/index.ts';
import type { Log } from '../telemetry/log.ts';
import { createPersistedDocuments } from './persisted/persisted-documents.ts';
import type { GraphQLDependencies } from './plugins.ts';
import { checkTeamContext } from './plugins/use-team-context.ts';
import { createResultStreams } from './result-streams.ts';
import type { GraphQLServer } from './yoga.ts';
import { nodeCodeOf } from '../../model/common.ts';

/**
 * Creates the GraphQL server. Yoga is loaded by `load` or with the first request, so that the port can listen before.
 *
 * @param fileUrlOf returns the URL at which this gateway serves a file to the caller of a request
 */
export function createGraphQLEndpoint(
  options: GatewayOptions,
  dependencies: GraphQLDependencies,
  identity: Identity,
  fileUrlOf: (exchange: HttpExchange, path: string) => string,
) {
  const { http, log, metrics, liveClock } = dependencies;
  const { forms, extendSchema, features = noFeatures } = dependencies;
  const streams = createResultStreams();
  const liveOptions = {
    ...options,
    timeoutMs: options.requestTimeoutMs,
    callObserver: features.requestObserver?.polls ?? null,
    ...(liveClock && { clock: liveClock }),
  };
  const live = new Live(http, liveOptions, metrics.liveObserver);
  http.addDocumentWriteListener(live.documentWritten);

  const loadYoga = async () => {
    if (dependencies.createTeamContext) await checkTeamContext(dependencies.createTeamContext);
    const [{ createGraphQL }, persisted] = await Promise.all([
      import('./yoga.ts'),
      createPersistedDocuments(options),
    ]);
    const served =
      dependencies.schema ??
      (await features.transformSchema(schemaWith(forms ?? null, extendSchema ?? null)));
    const server = createGraphQL(served, options, {
      ...dependencies,
      identity,
      streams,
      live,
      persisted,
      fileUrlOf,
    });
    return { server, schema: served, mcp: options.mcp ? await loadMcp(served, server, log) : null };
  };
  const load = loadOnce(loadYoga);

  return {
    /** Sends the response to a GraphQL request. */
    answer: async (exchange: HttpExchange): Promise<void> => (await load()).server.answer(exchange),
    /** Sends the response of a plugin to a request for a path of its own. @throws {HttpError} 404 if none answers */
    answerPath: async (exchange: HttpExchange): Promise<void> =>
      (await load()).server.answerPath(exchange),
    /** Answers a request of the Model Context Protocol. @throws unless `mcp` is on */
    async answerMcp(
      exchange: HttpExchange,
      request: Request,
      body: unknown,
      argsOf: ReadonlyMap<unknown, unknown>,
    ) {
      const { server, mcp } = await load();
      if (mcp === null) throw new Error('The Model Context Protocol is off.');
      const execute: ExecuteDocument = (params) =>
        server.execute(exchange, params, mcp.maxResultBytes);
      return mcp.answer(request, body, argsOf, execute);
    },
    /** The schema that is served. */
    schema: async (): Promise<GraphQLSchema> => (await load()).schema,
    /**
     * Loads what the first operation needs. Later calls wait for the same, or load again after a failure.
     *
     * @throws {ManifestError} if the manifest of trusted documents is invalid
     * @throws if `mcp` is on, and its package is not installed or two tools have the same name
     */
    async load(): Promise<void> {
      await load();
    },
    /** Reports a write to a document by another process. Affected subscriptions are polled at once. */
    documentWritten: live.documentWritten,
    /** Ends all subscriptions, for a shutdown. */
    endSubscriptions: (): void => streams.endSubscriptions(),
  };
}

/** Maximum number of documents in the warning about documents that are not tools. */
const maxOmitted = 20;

/** Creates the tools of the trusted documents, and warns about the documents that are none. */
async function loadMcp(schema: GraphQLSchema, server: GraphQLServer, log: Log) {
  const { createMcp, createTools, maxResultBytes } = await importMcp();
  const { tools, omitted } = createTools(schema, server.parseTrusted());
  if (omitted.length > 0) {
    const documents = omitted.slice(0, maxOmitted);
    log.write('warn', 'trusted documents are not tools', { count: omitted.length, documents });
  }
  return { answer: createMcp({ tools }), maxResultBytes };
}

/** The package is not installed by default, because its 17 MB are of no use without agents. */
async function importMcp() {
  try {
    return await import('../../mcp/index.ts');
  } catch (cause) {
    if (nodeCodeOf(cause) !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const name = '@modelcontextprotocol/server';
    const message = `MCP=on needs the package ${name}, which is not installed. Run \`npm install ${name}@2.4.0\`.`;
    throw new Error(message, { cause });
  }
}
