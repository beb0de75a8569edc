/// <reference lib="esnext.disposable" preserve="true" />
import { inspect } from 'node:util';
import type { Dispatcher } from 'undici';
import { readSettings, type GatewaySettings } from '../features/settings.ts';
import { checkTeamConfig, type TeamConfig } from '../gateway-config.ts';
import { createLog } from '../server/telemetry/log.ts';
import { startDms } from './managed-dms.ts';
import { certificateWarnings, openTlsFiles, serve } from './serve.ts';

/** A gateway in this process. `await using` closes it at the end of the block. */
export interface RunningGateway extends AsyncDisposable {
  /** Base URL without a trailing slash, such as `http://127.0.0.1:39112`. */
  readonly url: string;
  /** URL of the GraphQL endpoint. */
  readonly graphqlUrl: string;
  /**
   * Waits for running requests, which are aborted after `SHUTDOWN_TIMEOUT_MS`, then stops the gateway and its sandbox.
   * Further calls wait for the first one.
   */
  close(): Promise<void>;
}

/** What is not a setting of the gateway. */
export interface StartOptions {
  /**
   * Called with each line of the log, which is JSON. Default: lines are written to the standard error output, as are
   * those for which this function throws.
   */
  readonly onLog?: (line: string) => void;
  /**
   * Receives all requests to the DMS in place of the network, such as a `MockAgent` of undici 8. Requires `DMS_URL`.
   */
  readonly dispatcher?: Dispatcher;
  /** What a team adds, such as the default export of its `gateway.config.ts`. */
  readonly config?: TeamConfig;
}

const writeToStderr = (line: string): void => void process.stderr.write(`${line}\n`);

/** @throws {TypeError} if an option is not valid */
function checkOptions(options: StartOptions, dmsUrl: string | null): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError('the options must be an object');
  }
  const { onLog, dispatcher, config: _, ...others } = options;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new TypeError(`${unknown} is not an option`);
  if (onLog !== undefined && typeof onLog !== 'function') {
    throw new TypeError('onLog must be a function');
  }
  if (dispatcher === undefined) return;
  if (typeof dispatcher?.dispatch !== 'function') {
    throw new TypeError('dispatcher must be a dispatcher of undici');
  }
  if (dmsUrl === null) throw new TypeError('dispatcher requires DMS_URL');
}

/** The requests and the shutdown write the log, so an error of `onLog` must not reach them. */
function logWriter({ onLog = writeToStderr }: StartOptions): (line: string) => void {
  return (line) => {
    try {
      onLog(line.trimEnd());
    } catch (error) {
      writeToStderr(line.trimEnd());
      writeToStderr(`onLog threw ${inspect(error)}`);
    }
  };
}

/** For tests: parallel gateways do not compete for a port, and the log contains only problems. */
const defaults = { PORT: 0, LOG_LEVEL: 'warn' } as const;

/**
 * Starts a gateway in this process. A process can run several at once.
 *
 * The environment is not read, no signal is handled, and the process is never ended. The defaults are those of the docs
 * page settings.md with three exceptions: `PORT` is 0 (a free port), `LOG_LEVEL` is `warn`, and `DATA_DIR` is a
 * temporary directory, which `close` removes. Without `DMS_URL`, the gateway runs on a sandbox of its own with newly
 * seeded data.
 *
 * @throws {ConfigError} naming every invalid setting
 * @throws {GatewayConfigError} if `config` is not valid
 * @throws {TypeError} if another option is not valid
 * @throws if the port, the data directory, a certificate or its key cannot be used, or the manifest of trusted documents
 * is invalid; nothing remains open
 */
export async function startGateway(
  settings: GatewaySettings = {},
  options: StartOptions = {},
): Promise<RunningGateway> {
  const teamConfig = checkTeamConfig(options?.config ?? {}, 'config');
  const config = readSettings(settings, { ...defaults, ...teamConfig.settings });
  checkOptions(options, config.dmsUrl);
  const log = createLog(config.logLevel, { write: logWriter(options) });
  const tls = await openTlsFiles(config.tlsSettings, log);
  const dataDir = settings.DATA_DIR ? config.dataDir : null;
  const dms = await startDms({ dmsUrl: config.dmsUrl, dataDir });
  const server = await serve(config, dms, log, {
    processMetrics: false,
    dependOn() {},
    tls,
    dispatcher: options.dispatcher,
    teamConfig,
  }).catch(async (error: unknown) => {
    await dms.close();
    throw error;
  });
  for (const warning of [...config.warnings, ...certificateWarnings(tls)])
    log.write('warn', warning);
  const stop = async (): Promise<void> => {
    try {
      await server.stop();
    } finally {
      await dms.close();
    }
  };
  let stopped: Promise<void> | undefined;
  const close = (): Promise<void> => (stopped ??= stop());
  const { url } = server;
  return { url, graphqlUrl: `${url}/graphql`, close, [Symbol.asyncDispose]: close };
}
