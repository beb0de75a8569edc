import type {
  DocumentNode,
  ExecutionArgs,
  ExecutionResult,
  GraphQLError,
  GraphQLSchema,
} from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import type { Config, SettingsExtension } from '../config/read-config.ts';
import type { NoSettings, SettingsTable, ValuesOf } from '../config/setting-parsers.ts';
import type {
  DescribedCertificate,
  HttpClient,
  SharedCache,
  SharedCounters,
  TlsSource,
  WriteNotification,
} from '../rest/index.ts';
import type { TokenRules } from '../model/identity.ts';
import type { FormsConfig } from '../model/form.ts';
import type { SchemaExtension, SchemaForms } from '../schema/extend.ts';
import type { OperationPlan, Variables } from '../schema/plan/operation-plan.ts';
import type { RequestObserver } from './http/request-observer.ts';
import type { Endpoints } from './http/endpoint-table.ts';
import type { HttpExchange } from './http/http-exchange.ts';
import type { Identity } from './identity/index.ts';
import type { Processes } from './processes.ts';
import type { Log } from './telemetry/log.ts';
import type { Metrics } from './telemetry/metrics.ts';

/** What a process offers to the features of its gateway. */
export interface FeatureHost {
  readonly log: Pick<Log, 'write' | 'failure'>;
  readonly metrics: Metrics;
  /** Base URL of the DMS. */
  readonly dmsUrl: string;
  /** The certificates of the connections to each service, also of `tlsServices`. Undefined: those of Node. */
  readonly tls: Readonly<Record<string, TlsSource | undefined>>;
  /** Identifies the replica. Its processes have the same value, and notify each other of writes. */
  readonly replica: string;
  /** Call it with what a process of another replica wrote: this process then drops its copies. */
  readonly onWritten: (written: WriteNotification) => void;
  /** Call it with the path of a file that is read at the start: with `--watch`, a change starts the gateway again. */
  readonly dependOn: (path: string) => void;
  /** The embedded sandbox. Null with any other DMS. */
  readonly sandbox: {
    /** `Authorization` header of its service account. */
    readonly authorization: string;
    /** Signs tokens for its people. The same in all processes of a gateway, and new with each start. */
    readonly tokenSecret: string;
  } | null;
}

/** Executes an operation as graphql-js's `execute` does. It uses `variables` instead of those in `args`. */
type ExecuteOperation = (
  args: ExecutionArgs,
  variables: Variables,
) => Promise<ExecutionResult> | ExecutionResult;

/** Executes some operations in another way than graphql-js. */
export interface Executor {
  /** Loads what it needs. Until then, `find` returns null. */
  load(): Promise<void>;
  /** Returns how to execute an operation. Null if graphql-js must do it. Called for each execution. */
  find(plan: OperationPlan): ExecuteOperation | null;
}

/** What a gateway offers to the endpoints of its features. Nothing of their requests is identified before. */
export interface FeatureGateway {
  readonly identity: Identity;
  /** Loads what the first operation needs. When it resolves, `loaded` has been called. */
  load(): Promise<void>;
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
  execute(exchange: HttpExchange, params: GraphQLParams, maxResultBytes: number): Promise<string>;
}

/** A plugin of Yoga or Envelop. Their types depend on the context that they expect, so no common type exists. */
export type GatewayPlugin = object;

/** What a feature adds to one gateway while it runs. */
export interface FeatureParts {
  /** Observes all requests but those for health, metrics and pages. Only one feature can. */
  readonly requestObserver?: RequestObserver;
  /** Returns endpoints, which take precedence over those of the core and of plugins. Called once. */
  endpoints?(gateway: FeatureGateway): Endpoints;
  /**
   * Returns plugins. Their hooks of the execution find a complete context; hooks before it (`onParams`, `onParse`) do not.
   * Their HTTP hooks do not run for a POST whose client accepts JSON only. Called before the first operation, and again
   * only if it rejects.
   */
  plugins?(gateway: {
    readonly http: HttpClient;
    readonly requestObserver: RequestObserver | null;
  }): Promise<readonly GatewayPlugin[]>;
  /**
   * Plugins that are not written for the gateway. They run after those that execute the operation, so that they can wrap
   * the execution, and all their hooks run. A request whose hook never returns ends at its deadline.
   */
  readonly guardedPlugins?: readonly GatewayPlugin[];
  /** Adds types and fields to the schema, before it is transformed. What they return is checked. Only one feature can. */
  readonly extendSchema?: SchemaExtension | undefined;
  /** How tokens of users are verified, which `IDENTITY=service` then accepts. Only one feature can have them. */
  readonly userTokens?: TokenRules;
  /** Called when the server is loaded, before the gateway listens. @throws if it must not start */
  loaded?(server: LoadedServer): void;
  /** A cache of reference data that is read after a miss in memory. Only one feature can. */
  readonly sharedCache?: SharedCache;
  /** Counters of RATE_LIMIT that count for other processes, too. Only one feature can. */
  readonly callCounters?: SharedCounters;
  /**
   * Called with what this process has written, before the response is sent. Resolves when no copy that others share is
   * used any more.
   */
  onWrite?(written: WriteNotification): Promise<void>;
  /** Called when a stopping gateway accepts no more requests. Ends responses that would last. */
  stopAccepting?(): void;
  /** Ends the feature, after the last request. */
  stop?(): Promise<void>;
}

/** What an option of the command `schema` can use. */
interface SchemaCommand {
  /** The schema to serve, without what the feature of the option changes. */
  readonly schema: GraphQLSchema;
  readonly config: Config;
  /** Creates the plugins of a team. */
  plugins(): readonly object[];
}

/** An option of the command `schema`. Only one of them can be given. */
export interface SchemaOption {
  /** Its name without `--`. */
  readonly name: string;
  /** The line of `--help`. */
  readonly description: string;
  /** Whether it can be repeated, each time with the path of a file. What it prints is then a report, not a schema. */
  readonly takesFile?: true;
  /** Returns what is printed. @throws saying why the command fails */
  run(command: SchemaCommand, files: readonly string[]): Promise<string>;
}

/**
 * The result of one check. `fail`: the gateway cannot work with this service. `warn`: a part of it cannot, or is slow.
 * `skip`: it could not be checked.
 */
export interface CheckResult {
  readonly status: 'ok' | 'warn' | 'fail' | 'skip';
  readonly name: string;
  /** What was found, and what to do unless the status is `ok`. Contains no secret and no text of the DMS. */
  readonly text: string;
}

/** The DMS that a command reads. */
export interface CommandDms
  extends Pick<FeatureHost, 'dmsUrl' | 'tls' | 'sandbox'>, AsyncDisposable {
  /** The certificates of the settings. */
  readonly certificates: readonly DescribedCertificate[];
  /** Checks the services of all features, one after the other. */
  checkServices(): AsyncIterable<CheckResult>;
}

/** What a process offers to a command. */
export interface CommandHost {
  /** The user of `--run-as`. Null without it. */
  readonly runAs: string | null;
  /** Opens the DMS of the settings, or a newly seeded sandbox. @throws naming a certificate or key that cannot be used */
  openDms(): Promise<CommandDms>;
  /** Writes to the standard output, or to the file of `--out`. */
  write(text: string): Promise<void>;
}

/** A command of the program. */
export interface Command<C = Config> {
  readonly name: string;
  /** The line of `--help`. */
  readonly description: string;
  /** What `--run-as USER` means, for `--help`. Undefined: it cannot be given. */
  readonly runAs?: string;
  /** Whether `--out FILE` can be given. */
  readonly writesFile?: true;
  /** Resolves with whether it has succeeded. @throws why the gateway could not start, either */
  run(config: C, host: CommandHost): Promise<boolean>;
}

/** A configuration that has been loaded from a file. */
export interface LoadedConfig {
  readonly path: string;
  /** What the file exports. It is not checked. */
  readonly exported: unknown;
  /** Names the file for an error that it may have caused, with the place where the error was thrown, if it is known. */
  locate(error: unknown): string;
}

/** Loads the configuration of a process from a file. */
export interface ConfigLoader {
  /** The line of `--help` for the argument `--config FILE`, which needs a loader, as does `--watch`. */
  readonly description: string;
  /**
   * Loads the file. Null if no file is given and the directory has none.
   *
   * @param file path relative to `directory`; null for a file with a default name in the directory
   * @param dependOn called with each file whose change can change the configuration, now and later. It need not exist.
   * @throws {GatewayConfigError} naming the file and the reason
   */
  load(
    file: string | null,
    directory: string,
    dependOn: (path: string) => void,
  ): Promise<LoadedConfig | null>;
  /**
   * Runs the gateway in a process of its own, and replaces that process when a file changes on which it depends.
   *
   * @param entry the module that starts the gateway. Its process sends a `WatchedMessage` for each of those files
   * @param flags its arguments
   */
  watch(entry: string, flags: readonly string[]): Promise<void>;
}

/** What the gateway reports to the process that watches: a file on which it depends, or the port on which it listens. */
export type WatchedMessage = { readonly file: string } | { readonly port: number };

/** Where the forms of a gateway are declared. */
export interface FormSources {
  /** The option `forms` of the configuration. */
  readonly forms: FormsConfig | undefined;
  /** The forms of the embedded sandbox, as it lists them. Null for any other DMS. */
  readonly sandboxForms: readonly unknown[] | null;
}

/**
 * Something that an operator can leave off: its folder, its tests, its page in docs/ and its line in
 * src/features/index.ts can be deleted. The module of a feature must be small, because the start imports it. What the
 * feature needs to run is imported by `open`.
 */
export interface Feature<S extends SettingsTable = NoSettings> extends SettingsExtension<S> {
  /** The name of its folder. */
  readonly name: string;
  /**
   * Opens the feature for a gateway. Null if it is off. Metrics are created in either case, so that /metrics does not
   * depend on the settings. @throws if the gateway must not start
   */
  open?(config: Config & ValuesOf<S>, host: FeatureHost): Promise<FeatureParts | null>;
  /**
   * Reads the declared forms of a gateway. Null if there are none. Only one feature can.
   *
   * @throws naming every problem, as does the promise
   */
  declareForms?(config: Config & ValuesOf<S>, sources: FormSources): Promise<SchemaForms> | null;
  /** Returns the schema to serve, given that of the gateway, its forms and its team. If the feature is off, the same. */
  transformSchema?(
    schema: GraphQLSchema,
    config: Config & ValuesOf<S>,
  ): GraphQLSchema | Promise<GraphQLSchema>;
  /** Creates what executes some operations in another way. Null if the feature is off. */
  createExecutor?(config: Config & ValuesOf<S>): Executor | null;
  /** Lines of the message that a starting process prints, given the URL at which clients reach it. */
  startupLines?(config: Config & ValuesOf<S>, gateway: { readonly url: string }): readonly string[];
  /** An option of the command `schema`, which then prints something else. */
  readonly schemaOption?: SchemaOption;
  readonly commands?: readonly Command<Config & ValuesOf<S>>[];
  /** Checks the service that the feature needs, within seconds and without a retry. No results if the feature is off. */
  checkService?(
    config: Config & ValuesOf<S>,
    host: Pick<FeatureHost, 'tls'>,
  ): AsyncIterable<CheckResult>;
  /** Serves with several processes in place of this one. Null if the feature is off. */
  createProcesses?(config: Config & ValuesOf<S>): Processes | null;
  /** Loads the configuration of a process. Only one feature can. */
  readonly configLoader?: ConfigLoader;
}

/** Declares a feature, so that its functions know the values of its settings. Returns the argument. */
export function defineFeature<const S extends SettingsTable = NoSettings>(
  feature: Feature<S>,
): Feature<S> {
  return feature;
}
