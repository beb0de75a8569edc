import type { GraphQLSchema } from 'graphql';
import type { Settings } from '../config/read-config.ts';
import type { DescribedCertificate, TlsSource } from '../rest/index.ts';

interface SchemaCommand {
  readonly schema: GraphQLSchema;
  readonly settings: Settings;
  plugins(): readonly object[];
}

export interface SchemaOption {
  readonly name: string;
  readonly description: string;
  readonly takesFile?: true;
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

export interface DmsAccess {
  readonly dmsUrl: string;
  readonly tls: Readonly<Record<string, TlsSource | undefined>>;
  readonly sandbox: {
    readonly authorization: string;
    readonly tokenSecret: string;
  } | null;
}

export interface CommandDms extends DmsAccess, AsyncDisposable {
  readonly certificates: readonly DescribedCertificate[];
  checkServices(): AsyncIterable<CheckResult>;
}

export interface CommandHost {
  readonly runAs: string | null;
  /** Opens the DMS of the settings, or a newly seeded sandbox. @throws naming a certificate or key that cannot be used */
  openDms(): Promise<CommandDms>;
  write(text: string): Promise<void>;
}

export interface Command<C = Settings> {
  readonly name: string;
  readonly description: string;
  /** What `--run-as USER` means, for `--help`. Undefined: it cannot be given. */
  readonly runAs?: string;
  readonly writesFile?: true;
  run(settings: C, host: CommandHost): Promise<boolean>;
}
