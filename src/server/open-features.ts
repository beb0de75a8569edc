import type { GraphQLSchema } from 'graphql';
import type { Config } from '../config/read-config.ts';
import type { HttpClient, SharedCache, SharedCounters, WriteNotification } from '../rest/index.ts';
import type { TokenRules } from '../model/identity.ts';
import type { SchemaExtension, SchemaForms } from '../schema/extend.ts';
import type {
  CheckResult,
  Executor,
  Feature,
  FeatureGateway,
  FeatureHost,
  FeatureParts,
  FormSources,
  GatewayPlugin,
  LoadedServer,
} from './feature.ts';
import type { RequestObserver } from './http/request-observer.ts';
import type { Endpoints } from './http/endpoint-table.ts';
import type { Processes } from './processes.ts';

/** The features of one gateway. */
export interface OpenFeatures {
  /** Returns the schema to serve. */
  transformSchema(schema: GraphQLSchema): Promise<GraphQLSchema>;
  readonly executor: Executor;
  readonly requestObserver: RequestObserver | null;
  readonly userTokens: TokenRules | null;
  /** Returns the endpoints of each, in the order of the list. */
  endpoints(gateway: FeatureGateway): readonly Endpoints[];
  /** Returns the plugins of each, in the order of the list. */
  plugins(http: HttpClient): Promise<readonly GatewayPlugin[]>;
  readonly guardedPlugins: readonly GatewayPlugin[];
  readonly extendSchema: SchemaExtension | null;
  /** Whether one of them has `loaded`, which is called before the gateway listens. */
  readonly needsServer: boolean;
  /** Calls `loaded` of each. @throws what one of them throws */
  loaded(server: LoadedServer): void;
  readonly sharedCache: SharedCache | null;
  readonly callCounters: SharedCounters | null;
  /** Calls `onWrite` of each. Resolves when all of them have. Null if none has it. */
  readonly onWrite: ((written: WriteNotification) => Promise<unknown>) | null;
  /** Calls `stopAccepting` of each. */
  stopAccepting(): void;
  /** Ends all of them. */
  stop(): Promise<void>;
}

/** A gateway without features. */
export const noFeatures: OpenFeatures = {
  transformSchema: async (schema) => schema,
  executor: { async load() {}, find: () => null },
  requestObserver: null,
  userTokens: null,
  endpoints: () => [],
  plugins: async () => [],
  guardedPlugins: [],
  extendSchema: null,
  needsServer: false,
  loaded() {},
  sharedCache: null,
  callCounters: null,
  onWrite: null,
  stopAccepting() {},
  async stop() {},
};

/** Opens those features that are on, one after the other. If one throws, none remains open. */
export async function openFeatures(
  features: readonly Feature[],
  config: Config,
  host: FeatureHost,
): Promise<OpenFeatures> {
  const parts: FeatureParts[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(parts.map(async (part) => part.stop?.()));
  };
  try {
    for (const feature of features) {
      // oxlint-disable-next-line no-await-in-loop -- if one throws, the next must not be open
      const opened = await feature.open?.(config, host);
      if (opened != null) parts.push(opened);
    }
    const requestObserver = onlyOne(parts, 'requestObserver');
    const writers = parts.filter(({ onWrite }) => onWrite !== undefined);
    return {
      executor: createExecutor(features, config),
      requestObserver,
      userTokens: onlyOne(parts, 'userTokens'),
      endpoints: (gateway) => parts.map((part) => part.endpoints?.(gateway) ?? {}),
      async plugins(http) {
        const gateway = { http, requestObserver };
        const added = await Promise.all(parts.map(async (part) => part.plugins?.(gateway) ?? []));
        return added.flat();
      },
      guardedPlugins: parts.flatMap((part) => part.guardedPlugins ?? []),
      extendSchema: onlyOne(parts, 'extendSchema'),
      needsServer: parts.some(({ loaded }) => loaded !== undefined),
      loaded(server) {
        for (const part of parts) part.loaded?.(server);
      },
      sharedCache: onlyOne(parts, 'sharedCache'),
      callCounters: onlyOne(parts, 'callCounters'),
      onWrite:
        writers.length === 0
          ? null
          : (written) => Promise.all(writers.map(async (part) => part.onWrite?.(written))),
      transformSchema: (schema) => transformSchema(features, config, schema),
      stopAccepting() {
        for (const part of parts) part.stopAccepting?.();
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns what one of the features adds. Null if none does. @throws if two do */
function onlyOne<K extends keyof FeatureParts>(
  parts: readonly FeatureParts[],
  key: K,
): NonNullable<FeatureParts[K]> | null {
  const [one, another] = parts.map((part) => part[key]).filter((part) => part != null);
  if (another !== undefined) throw new Error(`Only one feature can have a ${key}.`);
  return one ?? null;
}

/** The executors of all features as one: the first that knows an operation executes it. */
export function createExecutor(features: readonly Feature[], config: Config): Executor {
  const executors = features.flatMap((feature) => feature.createExecutor?.(config) ?? []);
  return {
    async load() {
      await Promise.all(executors.map((one) => one.load()));
    },
    find(plan) {
      for (const one of executors) {
        const execute = one.find(plan);
        if (execute !== null) return execute;
      }
      return null;
    },
  };
}

/** Returns how the first feature that is on serves with several processes. Null: this process serves. */
export function createProcesses(features: readonly Feature[], config: Config): Processes | null {
  return features.map((feature) => feature.createProcesses?.(config)).find(Boolean) ?? null;
}

/**
 * Reads the declared forms. Null if there are none. @see Feature.declareForms
 *
 * @throws {Error} if a configuration declares some and no feature reads them
 */
export function declareForms(
  features: readonly Feature[],
  config: Config,
  sources: FormSources,
): Promise<SchemaForms> | null {
  const declaring = features.find((feature) => feature.declareForms !== undefined);
  if (declaring === undefined && sources.forms !== undefined) {
    throw new Error('`forms` is not an option of this gateway.');
  }
  return declaring?.declareForms?.(config, sources) ?? null;
}

/** Returns the schema to serve, given that without features. */
export async function transformSchema(
  features: readonly Feature[],
  config: Config,
  schema: GraphQLSchema,
): Promise<GraphQLSchema> {
  let served = schema;
  for (const feature of features) {
    // oxlint-disable-next-line no-await-in-loop -- each changes the result of the one before
    served = (await feature.transformSchema?.(served, config)) ?? served;
  }
  return served;
}

/** Checks the services of all features, one after the other. */
export async function* checkServices(
  features: readonly Feature[],
  config: Config,
  host: Pick<FeatureHost, 'tls'>,
): AsyncGenerator<CheckResult> {
  for (const feature of features) yield* feature.checkService?.(config, host) ?? [];
}

/** Returns the lines of all features for the message that a starting process prints. */
export function startupLines(
  features: readonly Feature[],
  config: Config,
  gateway: { readonly url: string },
): readonly string[] {
  return features.flatMap((feature) => feature.startupLines?.(config, gateway) ?? []);
}
