import type { Dispatcher } from 'undici';
import { getOperationAST, parse, validate, type GraphQLError } from 'graphql';
import { readSettings, type GatewaySettings } from '../features/settings.ts';
import { checkTeamConfig, openSchemaOf, type TeamConfig } from '../gateway-config.ts';
import { HttpClient, RestError } from '../rest/index.ts';
import { isInParts } from '../schema/plan/operation-plan.ts';
import { checkedContext, disposableOf } from '../server/graphql/plugins/use-team-context.ts';
import { rootCause } from '../server/errors/client-error.ts';
import { createGraphQLError } from '../schema/graphql-error.ts';
import { executeOperation, prepareOperation } from '../server/graphql/operation.ts';
import { createMockDms, mockOrigin, type MockDms } from './mock-dms.ts';

/** The result of an operation without the server, so errors are not masked. */
export interface ResolverResult {
  readonly data: Record<string, unknown> | null;
  readonly errors?: readonly GraphQLError[];
  /** The `extensions.code` of each error, or its message if it has no code. */
  readonly codes: unknown[];
}

/** Executes operations without HTTP and identity. */
export interface OperationRunner {
  /**
   * Executes a query or mutation. Each call is a request of its own, with its own loaders.
   *
   * @throws if the forms of the configuration are not valid, the document is not valid, its operation is a subscription,
   * or its result would come in parts (`@defer`, `@stream`)
   */
  run(document: string, variables?: Record<string, unknown>): Promise<ResolverResult>;
}

/** The resolvers over a mocked DMS. */
export interface Resolvers extends OperationRunner {
  readonly dms: MockDms;
}

/** Who asks, and with which settings. */
export interface ResolverOptions {
  /**
   * Settings that resolvers and REST client use, such as `DMS_RETRIES`, and limits of upstream calls and list fields;
   * `RATE_LIMIT` applies to each operation alone. Unset, nothing is retried, cached or compiled and a call times out
   * after 5 s; other defaults are the documented ones.
   */
  readonly settings?: GatewaySettings;
  /** The user of the requests. Default: the service account itself. */
  readonly runAs?: string;
  /** Preferred languages such as `en`, most preferred first. Default: none. */
  readonly languages?: readonly string[];
  /**
   * Receives all requests to the DMS in place of `dms`, such as a `MockAgent` of undici 8. They go to `DMS_URL`, by
   * default `http://dms.test`.
   */
  readonly dispatcher?: Dispatcher | undefined;
  /** The configuration of a team, whose fields are then part of the schema. Its plugins do not run. */
  readonly config?: TeamConfig | undefined;
}

const defaults = { DMS_RETRIES: 0, CACHE_TTL_MS: 0, DMS_TIMEOUT_MS: 5000, COMPILE_AFTER: 0 };

/**
 * Creates the schema, loaders and REST client over a mocked DMS, without HTTP and identity. Needs no port and nothing
 * to close.
 *
 * @throws {ConfigError} naming every invalid setting
 */
export function createResolvers(
  options: ResolverOptions & { dispatcher: Dispatcher },
): OperationRunner;
/** The same with a DMS of which each test says what it replies. */
export function createResolvers(options?: ResolverOptions): Resolvers;
export function createResolvers(options: ResolverOptions = {}): Resolvers {
  const { runAs = null } = options;
  const languages = (options.languages ?? []).map((tag) => tag.toLowerCase());
  const teamConfig = checkTeamConfig(options.config ?? {}, 'config');
  const { settings, context: createTeamContext } = teamConfig;
  const config = readSettings({ ...settings, ...options.settings }, defaults);
  const loading = openSchemaOf(teamConfig, config).then(async ({ build, ...parts }) => ({
    ...parts,
    schema: await build(),
  }));
  loading.catch(() => {}); // `run` rejects with it
  const dms = createMockDms();
  const http = new HttpClient(
    { ...config, baseUrl: config.dmsUrl ?? mockOrigin, timeoutMs: config.dmsTimeoutMs },
    {},
    options.dispatcher ?? dms.dispatcher,
  );
  const caller = { key: runAs ?? '', runAs, authorization: 'Bearer test' };
  return {
    dms,
    async run(text, variableValues = {}) {
      const { forms, executor, schema } = await loading;
      const document = parse(text);
      const invalid = validate(schema, document);
      if (invalid.length > 0) throw new Error(invalid.map(({ message }) => message).join('\n'));
      const operation = getOperationAST(document);
      if (operation == null) throw new Error('The document must contain one operation.');
      if (operation.operation === 'subscription') {
        throw new Error('A subscription needs a gateway: use startGateway.');
      }
      const request = new Request('http://gateway.test/graphql', { method: 'POST' });
      const teamContext = createTeamContext
        ? checkedContext(await createTeamContext({ request, caller: { runAs, key: caller.key } }))
        : null;
      await using disposables = new AsyncDisposableStack();
      disposables.use(teamContext && disposableOf(teamContext));
      const { errors, prepared, context } = prepareOperation(
        { schema, document, variableValues },
        operation,
        {
          caller,
          budget: {
            requestId: 'test',
            signal: new AbortController().signal,
            timeoutMs: config.requestTimeoutMs,
          },
          info: { languages, fileUrlOf: (path) => `http://gateway.test${path}`, teamContext },
        },
        http,
        { ...config, forms },
      );
      if (errors !== undefined) return resultOf({ errors });
      if (isInParts(prepared.plan, prepared.variables)) {
        throw new Error('`@defer` and `@stream` need a gateway: use startGateway.');
      }
      await executor?.load();
      const args = { schema, document, variableValues, contextValue: context };
      const { data, errors: failures } = await executeOperation(executor, prepared, args);
      const explained = failures?.map((error) => withClosestReply(error, dms.unexpected));
      return resultOf({ data, ...(explained && { errors: explained }) });
    },
  };
}

/** The error of a call without a prepared answer says which one is the closest. */
function withClosestReply(error: GraphQLError, unexpected: readonly string[]): GraphQLError {
  const cause = rootCause(error);
  if (!(cause instanceof RestError) || cause.status !== 501) return error;
  const text = unexpected.findLast((one) => one.startsWith(cause.request ?? ''));
  if (text === undefined) return error;
  const { nodes = null, path, extensions, originalError = null } = error;
  return createGraphQLError(text, { nodes, ...(path && { path }), extensions, originalError });
}

function resultOf({
  data,
  errors,
}: {
  readonly data?: Record<string, unknown> | null | undefined;
  readonly errors?: readonly GraphQLError[] | undefined;
}): ResolverResult {
  // Objects of a result have null prototypes. Assertions on plain objects are easier to read.
  const plain = JSON.parse(JSON.stringify(data ?? null)) as ResolverResult['data'];
  return { data: plain, ...(errors && { errors }), codes: (errors ?? []).map(codeOf) };
}

function codeOf({ extensions, originalError, message }: GraphQLError): unknown {
  if (typeof extensions['code'] === 'string') return extensions['code'];
  if (originalError && 'code' in originalError) return originalError.code;
  return message;
}
