import type { GraphQLSchema } from 'graphql';
import type { Settings } from '../config/read-config.ts';
import type { DescribedCertificate, TlsSource } from '../rest/index.ts';

/** What an option of the command `schema` can use. */
interface SchemaCommand {
  /** The schema to serve, without what the feature of the option changes. */
  readonly schema: GraphQLSchema;
  readonly settings: Settings;
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

/** The DMS of a process, and how its services are reached. */
export interface DmsAccess {
  /** Base URL of the DMS. */
  readonly dmsUrl: string;
  /** The certificates of the connections to each service, also of `tlsServices`. Undefined: those of Node. */
  readonly tls: Readonly<Record<string, TlsSource | undefined>>;
  /** The embedded sandbox. Null with any other DMS. */
  readonly sandbox: {
    /** `Authorization` header of its service account. */
    readonly authorization: string;
    /** Signs tokens for its people. The same in all processes of a gateway, and new with each start. */
    readonly tokenSecret: string;
  } | null;
}

/** The DMS that a command reads. */
export interface CommandDms extends DmsAccess, AsyncDisposable {
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
export interface Command<C = Settings> {
  readonly name: string;
  /** The line of `--help`. */
  readonly description: string;
  /** What `--run-as USER` means, for `--help`. Undefined: it cannot be given. */
  readonly runAs?: string;
  /** Whether `--out FILE` can be given. */
  readonly writesFile?: true;
  /** Resolves with whether it has succeeded. @throws why the gateway could not start, either */
  run(settings: C, host: CommandHost): Promise<boolean>;
}
