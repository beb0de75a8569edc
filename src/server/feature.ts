import type { DocumentNode, GraphQLError, GraphQLSchema } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import type { Settings, SettingsExtension } from '../config/read-config.ts';
import type { NoSettings, SettingsTable, ValuesOf } from '../config/setting-parsers.ts';
import type {
  HttpClient,
  SharedCache,
  SharedCounters,
  WriteNotification,
  OnCall,
} from '../rest/index.ts';
import type { TokenRules } from '../model/identity.ts';
import type { SchemaExtension, SchemaForms } from '../schema/extend.ts';
import type { Executor } from '../schema/plan/operation-plan.ts';
import type { CheckResult, Command, DmsAccess, SchemaOption } from './command.ts';
import type { RequestObserver } from './http/request-observer.ts';
import type { Endpoints } from './http/endpoint-table.ts';
import type { HttpExchange } from './http/http-exchange.ts';
import type { Identity } from './identity/index.ts';
import type { Log } from './telemetry/log.ts';
import type { Metrics } from './telemetry/metrics.ts';

/** What a process offers to the features of its gateway. */
export interface Host extends DmsAccess {
  readonly log: Pick<Log, 'write' | 'failure'>;
  readonly metrics: Metrics;
  /** Identifies this process and the other workers of its primary, which notify each other of writes. */
  readonly replica: string;
  /** Call it with what another process wrote: this process then drops its copies. */
  readonly onWritten: (written: WriteNotification) => void;
  /** Call it with the path of a file that is read at the start: with `--watch`, a change starts the gateway again. */
  readonly dependOn: (path: string) => void;
}

/** What the schema can depend on besides the settings. */
export interface SchemaSources extends Pick<Host, 'dependOn'> {
  /** The options of the configuration by name. Their checks have accepted them. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Paths in these options are relative to it. */
  readonly directory: string;
  /** The forms of the embedded sandbox, as it lists them. Null with any other DMS. */
  readonly sandboxForms: () => Promise<readonly unknown[] | null>;
  readonly warn: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

/** What a feature adds to the schema and its execution, also where no gateway runs. */
interface SchemaParts {
  /** Values of which a schema has one each. */
  readonly provides?: { readonly forms?: SchemaForms; readonly executor?: Executor };
  /** Adds types and fields, before any schema is transformed. */
  readonly extend?: SchemaExtension | undefined;
  /** Returns the schema to serve, given that of the gateway and of the features before. */
  transform?(schema: GraphQLSchema): GraphQLSchema | Promise<GraphQLSchema>;
}

/** What a gateway offers to the endpoints of its features. Nothing of their requests is identified before. */
interface Gateway {
  readonly identity: Identity;
  /** Loads what the first operation needs. When it resolves, `onReady` has been called. */
  load(): Promise<unknown>;
  /** Whether the core or a feature has an endpoint with this key. Known when requests arrive. */
  hasEndpoint(path: string): boolean;
}

/** The GraphQL server, which can execute operations. */
export interface LoadedServer {
  /** The schema that is served. */
  readonly schema: GraphQLSchema;
  /** Parses a query text as that of a request: with all limits and plugins. @throws {GraphQLError} */
  parse(text: string): DocumentNode;
  /** Validates a document as that of a request: with directives and rules of plugins. */
  validate(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[];
  /**
   * Executes an operation for a request that is not a GraphQL request, with all plugins. Operations of the same request
   * run one after the other.
   *
   * @param params those of a GraphQL request
   * @returns the JSON text of the response
   */
  execute(exchange: HttpExchange, params: GraphQLParams): Promise<string>;
}

/** Functions that a gateway calls at some time. Several features can have each. */
interface Hooks {
  /** The server is loaded, before the gateway listens. @throws if it must not start */
  onReady(server: LoadedServer): void;
  /** This process has written. The response is sent when no copy that others share is used any more. */
  onWrite(written: WriteNotification): Promise<void> | void;
  /** A call is about to be sent to the DMS. Returns headers that it has besides its own. */
  onCall: OnCall;
  /** A stopping gateway accepts no more requests. Ends responses that would last. */
  onStopping(): void;
  /** The last request has ended. */
  onStop(): Promise<void> | void;
}

/** Values of which a gateway has one each. */
interface Slots {
  /** A cache of reference data that is read after a miss in memory. */
  readonly cache: SharedCache;
  /** Counters of RATE_LIMIT that count for other processes, too. */
  readonly counters: SharedCounters;
  /** How tokens of users are verified, which `IDENTITY=service` then accepts. */
  readonly verifyToken: TokenRules;
}

/** What a feature adds to one gateway while it runs. */
export interface Parts {
  /** Returns endpoints, which take precedence over those of the core and of plugins. Called once. */
  endpoints?(gateway: Gateway): Endpoints;
  /**
   * Returns plugins of Yoga or Envelop, which have no common type. Their hooks of the execution find a complete context; hooks before it (`onParams`, `onParse`) do not.
   * Their HTTP hooks do not run for a POST whose client accepts JSON only. Called before the first operation, and again
   * only if it rejects.
   */
  plugins?(gateway: {
    readonly http: HttpClient;
    readonly requestObserver: RequestObserver | null;
  }): Promise<readonly object[]>;
  /**
   * Plugins of a team. They run after those that execute the operation, so that they can wrap the execution, and all their
   * hooks run.
   */
  readonly teamPlugins?: readonly object[];
  /** Pages and endpoints for people, by what they are, which the message of the start lists. */
  readonly links?: Readonly<Record<string, string>>;
  /** Observe all requests but those for health, metrics and pages. */
  readonly observers?: readonly RequestObserver[];
  readonly hooks?: Partial<Hooks>;
  readonly provides?: Partial<Slots>;
}

/**
 * Something that an operator can leave off: its folder, its tests, its page in docs/ and its line in
 * src/features/index.ts can be deleted. The module of a feature must be small, because the start imports it. What the
 * feature needs to run is imported by `schema` and `open`.
 */
export interface Feature<S extends SettingsTable = NoSettings> extends SettingsExtension<S> {
  /** The name of its folder. */
  readonly name: string;
  /** Checks of its options in the configuration: what is wrong with a value, or null. */
  readonly options?: Readonly<Record<string, (value: unknown) => string | null>>;
  readonly commands?: readonly Command<Settings & ValuesOf<S>>[];
  readonly schemaOption?: SchemaOption;
  /** Checks the service that the feature needs, within seconds and without a retry. No results if the feature is off. */
  check?(settings: Settings & ValuesOf<S>, host: Pick<Host, 'tls'>): AsyncIterable<CheckResult>;
  /** Returns what it adds to the schema. It opens nothing. Null if it is off. @throws naming every problem */
  schema?(
    settings: Settings & ValuesOf<S>,
    sources: SchemaSources,
  ): Promise<SchemaParts | null> | SchemaParts | null;
  /**
   * Opens the feature for a gateway. Null if it is off. Metrics are created in either case, so that /metrics does not
   * depend on the settings. @throws if the gateway must not start
   */
  open?(settings: Settings & ValuesOf<S>, host: Host): Promise<Parts | null> | Parts | null;
}

/** Declares a feature, so that its functions know the values of its settings. Returns the argument. */
export function defineFeature<const S extends SettingsTable = NoSettings>(
  feature: Feature<S>,
): Feature<S> {
  return feature;
}

/** Opens those features that are on, one after the other. If one throws, none remains open. */
export async function openFeatures(features: readonly Feature[], settings: Settings, host: Host) {
  const parts: Parts[] = [];
  try {
    for (const feature of features) {
      // oxlint-disable-next-line no-await-in-loop -- if one throws, the next must not be open
      const opened = await feature.open?.(settings, host);
      if (opened != null) parts.push(opened);
    }
    return mergeParts(parts);
  } catch (error) {
    await Promise.all(parts.map(async ({ hooks }) => hooks?.onStop?.()));
    throw error;
  }
}

/** What all features add: lists are joined, and hooks run for each. @throws if two provide the same */
function mergeParts(parts: readonly Parts[]) {
  const hooks = parts.flatMap((part) => part.hooks ?? []);
  return {
    endpoints: parts.flatMap(({ endpoints }) => endpoints ?? []),
    plugins: parts.flatMap(({ plugins }) => plugins ?? []),
    teamPlugins: parts.flatMap(({ teamPlugins }) => teamPlugins ?? []),
    links: Object.assign({}, ...parts.map(({ links }) => links)) as Record<string, string>,
    observers: parts.flatMap(({ observers }) => observers ?? []),
    provides: onlyOnes(parts.flatMap(({ provides }) => provides ?? [])),
    has: (name: keyof Hooks): boolean => hooks.some((one) => one[name] !== undefined),
    /** Calls a hook of each feature, and waits for all of them. */
    async run<K extends keyof Hooks>(name: K, ...args: Parameters<Hooks[K]>): Promise<unknown[]> {
      const call = async (hook?: (...given: never) => unknown) => hook?.(...(args as never));
      return Promise.all(hooks.map((hook) => call(hook[name])));
    },
  };
}

/** The open features of one gateway. */
export type OpenFeatures = ReturnType<typeof mergeParts>;

/** A value for each name. @throws if two objects have the same */
function onlyOnes<T extends object>(values: readonly T[]): T {
  const names = values.flatMap((one) => Object.keys(one));
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`Two features provide ${twice}.`);
  return Object.assign({}, ...values) as T;
}

/** The schema with what all features add, as far as it is read at the start. `build` makes it. */
export async function openSchema(
  features: readonly Feature[],
  settings: Settings,
  sources: SchemaSources,
) {
  const open = async (feature: Feature) => feature.schema?.(settings, sources);
  const parts = (await Promise.all(features.map(open))).filter((part) => part != null);
  const { forms = null, executor = null } = onlyOnes(
    parts.flatMap(({ provides }) => provides ?? []),
  );
  return {
    forms,
    executor,
    async build(): Promise<GraphQLSchema> {
      const { schemaWith } = await import('../schema/index.ts');
      let schema = schemaWith(forms, ...parts.flatMap(({ extend }) => extend ?? []));
      for (const { transform } of parts) {
        // oxlint-disable-next-line no-await-in-loop -- each changes the result of the one before
        if (transform !== undefined) schema = await transform(schema);
      }
      return schema;
    },
  };
}
