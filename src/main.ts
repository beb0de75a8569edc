import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { ConfigError, GatewayConfigError, printSettings } from './config/read-config.ts';
import { features } from './features/index.ts';
import { readEnvironment, settings, type FullConfig } from './features/settings.ts';
import type { Command, WatchedMessage } from './server/feature.ts';
import { createProcesses, startupLines } from './server/open-features.ts';
import type { Processes } from './server/processes.ts';
import {
  createLog,
  openStandardOutput,
  ownBlocks,
  sharedBlocks,
  type Log,
} from './server/telemetry/log.ts';
import { startDms, type ManagedDms } from './startup/managed-dms.ts';
import { readVersion } from './server/telemetry/version.ts';
import { isReloadable, reloadSecretsOnHangup } from './startup/reload-secrets.ts';
import { argumentsTable, readArguments } from './startup/arguments.ts';
import {
  exitOnUncaughtException,
  exitWhenStopped,
  logStop,
  signalsToStop,
  watchStopSignals,
} from './startup/process-end.ts';
import { configLoader, loadGatewayConfig, type CheckedConfig } from './startup/load-config.ts';
import {
  certificateWarnings,
  loadGateway,
  openTlsFiles,
  serve,
  type ServiceTls,
} from './startup/serve.ts';
import { messageOf, nodeCodeOf, printableLines } from './model/common.ts';

/**
 * Requests that were sent before the signal can still wait in the kernel, which resets their connections if the process
 * closes them unread. This is enough to read and answer them.
 */
const closeDelayMs = 100;
/** Codes of Node's errors by the setting that prevents listening. Their messages have the value but not the name. */
const portErrors: readonly unknown[] = ['EADDRINUSE', 'EACCES'];
const hostErrors: readonly unknown[] = ['EADDRNOTAVAIL', 'EINVAL', 'ENOTFOUND', 'EAI_AGAIN'];

const { command, help, version, config: configFile, ...others } = readArgumentsOrExit();
const { worker: isWorker, watch: isWatching, watched: isWatched } = others;
/** The configuration file. Null if there is none. */
let loaded: CheckedConfig | null = null;
if (help || version || command !== undefined) endWithOutput();
if (help) {
  process.stdout.write(
    `Starts the GraphQL gateway. It is configured by environment variables.\n\n${argumentsTable}\nA secret can also be in a file, whose path is in the variable with the suffix _FILE.\n\nVariable, default, range and meaning (times in milliseconds, unless stated otherwise):\n\n`,
  );
  process.stdout.write(`${printSettings(settings)}\n`);
  // Importing everything fills the compile cache: the image build runs `--help` for that purpose.
  await loadGateway();
} else if (version) {
  const running = readVersion();
  process.stdout.write(`dms-graphql-gateway ${running.version}, commit ${running.commit}\n`);
} else if (isWatching) {
  const given = process.argv.slice(2).filter((argument) => argument !== '--watch');
  await configLoader?.watch(process.argv[1] ?? '', ['--watched', ...given]);
} else if (command === undefined) {
  if (isWatched) process.once('disconnect', () => process.exit(1)); // ends with the process that watches
  await start();
} else {
  await (command.run === undefined ? writeSchema() : run(command));
  await new Promise((resolve) => process.stdout.write('', resolve));
  process.exit(); // what the configuration file has opened would keep the process running
}

async function start(): Promise<void> {
  const config = await readConfigOrExit();
  // A restart by `--watch` replaces one process.
  const processes = isWatched ? null : createProcesses(features, config);
  if (processes === null) return startAlone(config);
  return isWorker ? startWorker(config, processes) : startPrimary(config, processes);
}

/**
 * Ends a command whose output cannot be written: without an error if its reader has closed it, such as `head`.
 */
function endWithOutput(): void {
  process.stdout.on('error', (error) => {
    const isClosed = nodeCodeOf(error) === 'EPIPE';
    if (!isClosed) process.stderr.write(`The output cannot be written: ${messageOf(error)}\n`);
    process.exit(isClosed ? 0 : 1);
  });
}

/** Tells the process that started this one with `--watch` that this process depends on a file. */
function dependOn(file: string): void {
  if (isWatched) process.send?.({ file } satisfies WatchedMessage);
}

/** Runs the command of a feature. */
async function run(given: Command): Promise<void> {
  const config = await readConfigOrExit();
  try {
    const { openCommandDms } = await import('./startup/command-dms.ts');
    const isSuccessful = await given.run(config, {
      runAs: others['run-as'] ?? null,
      openDms: () => openCommandDms(config),
      write: writeOut,
    });
    process.exitCode = isSuccessful ? 0 : 1;
  } catch (error) {
    failToStart(error, config);
  }
}

/** Runs the command `schema`. It needs no credentials, so only the settings of the schema are read. */
async function writeSchema(): Promise<void> {
  const { printServedSchema, schemaSettings } = await import('./startup/schema-command.ts');
  const config = await readConfigOrExit(schemaSettings);
  const teamConfig = loaded?.config ?? {};
  try {
    await writeOut(await printServedSchema(config, teamConfig, others.schemaOption));
    if (config.dmsUrl === null && teamConfig.forms === undefined) {
      process.stderr.write(
        'The schema has the forms of the sandbox, because DMS_URL is not set.\n',
      );
    }
  } catch (error) {
    writeError(`${messageOf(error)}\n${locationOf(error)}`);
    process.exitCode = 1;
  }
}

/** Writes the result of a command. */
async function writeOut(text: string): Promise<void> {
  if (others.out === undefined) process.stdout.write(text);
  else await writeFile(others.out, text);
}

/** Ends the process with a message if an argument is wrong. */
function readArgumentsOrExit() {
  try {
    return readArguments(process.env['NODE_ENV'] === 'production');
  } catch (error) {
    const [problem] = messageOf(error).split('. '); // Node adds how to pass such an argument as a text
    writeError(
      `${problem}\nThe gateway is configured by environment variables; --help lists them.\n`,
    );
    return process.exit(1);
  }
}

/** @param names the settings to read. Default: all */
async function readConfigOrExit(names?: readonly string[]): Promise<FullConfig> {
  const only = (from: object) =>
    Object.fromEntries(Object.entries(from).filter(([name]) => names?.includes(name) ?? true));
  const read = (settings: object): FullConfig => readEnvironment(only(process.env), only(settings));
  try {
    loaded = await loadGatewayConfig(configFile ?? null, process.cwd(), dependOn);
    return read(loaded?.config.settings ?? {});
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof GatewayConfigError)) throw error;
    writeError(`${error.message}\n${locationOf(error)}`);
    if (error instanceof GatewayConfigError && error.settings !== null) {
      reportProblem(read, error.settings);
    }
    return process.exit(1);
  }
}

/** Writes what else is wrong if an option of the configuration file is. */
function reportProblem(read: (settings: object) => FullConfig, settings: object): void {
  try {
    read(settings);
  } catch (error) {
    writeError(`${messageOf(error)}\n`);
  }
}

/** @throws {ConfigError} */
function readProcessSettings(): FullConfig {
  return readEnvironment(process.env, loaded?.config.settings);
}

async function startAlone(config: FullConfig): Promise<void> {
  const output = await openStandardOutput(ownBlocks);
  const log = createLog(config.logLevel, output);
  exitOnUncaughtException(log, output, loaded !== null);
  const stopSignals = watchStopSignals(log, output);
  try {
    const tls = await openTlsFiles(config.tlsSettings, log);
    const dms = await startDms(config);
    const gateway = await serve(config, dms, log, {
      processMetrics: true,
      closeDelayMs: isWatched ? 0 : closeDelayMs,
      tls,
      dependOn,
      teamConfig: loaded?.config,
    });
    reloadSecretsOnHangup(config, log, readProcessSettings, (changed) =>
      gateway.replaceSecrets(changed),
    );
    process.stdout.write(startupMessage(config, gateway.url, dms));
    if (isWatched)
      process.send?.({ port: Number(new URL(gateway.url).port) } satisfies WatchedMessage);
    void writeWarnings(config, log, tls);
    await stopSignals.first;
    await exitWhenStopped(stopBoth(gateway, dms), log, output);
  } catch (error) {
    failToStart(error, config);
  }
}

/** Runs the embedded sandbox, if it is used, and supervises the workers. This process serves no requests. */
async function startPrimary(config: FullConfig, processes: Processes): Promise<void> {
  const output = await openStandardOutput();
  const log = createLog(config.logLevel, output);
  exitOnUncaughtException(log, output, loaded !== null);
  const stopSignals = watchStopSignals(log, output);
  try {
    const tls = await openTlsFiles(config.tlsSettings, log); // the workers could not start without
    const dms = await startDms(config);
    const { url, sandbox } = dms;
    const workers = await processes.start({
      entry: process.argv[1] ?? '',
      arguments: configFile === undefined ? [] : ['--config', configFile],
      sandbox: sandbox && { url, ...sandbox },
      fileUrlSecret: config.fileUrlSecret ?? randomBytes(32).toString('base64url'),
      log: log.write,
    });
    stopSignals.kill = () => workers.kill();
    reloadSecretsOnHangup(config, log, readProcessSettings, (changed) =>
      workers.replaceSecrets(changed),
    );
    const started = await Promise.race([workers.ready, stopSignals.first]);
    if (started !== undefined) {
      output.write(startupMessage(config, started.url, dms));
      void writeWarnings(config, log, tls);
      log.write('info', 'workers started', { pids: started.pids });
    }
    await stopSignals.first;
    await exitWhenStopped(stopBoth(workers, dms), log, output);
  } catch (error) {
    failToStart(error, config);
  }
}

/** Runs one of several workers. It stops when the primary says so. */
async function startWorker(config: FullConfig, processes: Processes): Promise<void> {
  // A signal to the process group also reaches the primary, which stops the workers.
  for (const signal of [...signalsToStop, ...(isReloadable(config) ? ['SIGHUP'] : [])]) {
    process.on(signal, () => {});
  }
  await processes.run(async ({ worker, port, sandbox, fileUrlSecret, replica }, others) => {
    const output = await openStandardOutput(sharedBlocks);
    const log = createLog(config.logLevel, output, { worker });
    exitOnUncaughtException(log, output, loaded !== null);
    const dms = { url: sandbox?.url ?? config.dmsUrl ?? '', sandbox };
    const membership = { worker, replica, others };
    const settings = { ...config, port, fileUrlSecret, processes: processes.count };
    const gateway = await serve(settings, dms, log, {
      processMetrics: true,
      closeDelayMs,
      dependOn,
      tls: await openTlsFiles(config.tlsSettings, log),
      membership,
      teamConfig: loaded?.config,
    });
    const stop = async (): Promise<boolean> => {
      const clean = await logStop(gateway.stop(), log);
      await output.drained();
      return clean ?? false;
    };
    return { ...gateway, stop };
  });
}

async function stopBoth(
  answering: { stop(): Promise<boolean> },
  dms: ManagedDms,
): Promise<boolean> {
  const clean = await answering.stop();
  await dms.close();
  return clean;
}

/** Plain text lines for an operator at a terminal, printed before the log. */
function startupMessage(config: FullConfig, url: string, dms: ManagedDms): string {
  const base = config.publicUrl ?? url;
  const lines = [
    `GraphQL gateway: ${base}/graphql`,
    `Files: ${base}/files/…, health: /healthz and /readyz, metrics: /metrics`,
    ...startupLines(features, config, { url: base }),
    ...(loaded === null ? [] : [`Configuration file: ${loaded.path}`]),
    `DMS: ${dms.name}, IDENTITY=${config.identity.mode}`,
    '',
  ];
  return printableLines(lines.join('\n'));
}

/** Writes a message that can contain settings, paths and texts of files. */
function writeError(text: string): void {
  process.stderr.write(printableLines(text));
}

/** Writes what an operator should know before the first user does. */
async function writeWarnings(
  { warnings, dmsUrl, dmsProxy }: FullConfig,
  log: Log,
  tls: ServiceTls,
): Promise<void> {
  for (const warning of [...warnings, ...certificateWarnings(tls)]) log.write('warn', warning);
  if (dmsUrl === null) return;
  const { openDms } = await import('./rest/index.ts');
  const { reason, certificate } = await openDms(dmsUrl, tls.dms, dmsProxy);
  if (reason === null) return;
  const certificates = tls.dms?.certificates.map(({ text }) => text);
  const proxy = dmsProxy === null ? undefined : new URL(dmsProxy).origin;
  log.write('warn', 'DMS not reachable', { reason, proxy, certificate, certificates });
}

function failToStart(error: unknown, { port, host }: FullConfig): never {
  const code = nodeCodeOf(error);
  const message = messageOf(error);
  const reason = portErrors.includes(code)
    ? `PORT=${port} cannot be used: ${message}`
    : hostErrors.includes(code)
      ? `HOST=${host} cannot be used: ${message}`
      : message;
  writeError(`The gateway cannot start: ${reason}\n${locationOf(error)}`);
  process.exit(1);
}

/** A line that names the configuration file, because it may have caused the error. Empty without a file. */
function locationOf(error: unknown): string {
  return loaded === null ? '' : `${loaded.locate(error)}\n`;
}
