import { randomBytes, randomUUID } from 'node:crypto';
import cluster from 'node:cluster';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isatty } from 'node:tty';
import { printSettings } from './config/print-settings.ts';
import { ConfigError, GatewayConfigError } from './config/read-config.ts';
import { readEnvironment, settings as settingsTable, type Settings } from './features/settings.ts';
import type { Command } from './server/command.ts';
import {
  createLog,
  openStandardOutput,
  ownBlocks,
  sharedBlocks,
  type Log,
  type LogOutput,
} from './server/telemetry/log.ts';
import { startDms, type DmsAddress, type ManagedDms } from './startup/managed-dms.ts';
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
import { loadConfig, type LoadedConfig } from './startup/load-config.ts';
import {
  certificateWarnings,
  loadGateway,
  openTlsFiles,
  serve,
  type ServedGateway,
  type ServeOptions,
  type ServiceTls,
} from './startup/serve.ts';
import { dependOn, isWatched, startWatching } from './startup/watch.ts';
import { messageOf, nodeCodeOf, printableLines } from './model/common.ts';

/**
 * Requests that were sent before the signal can still wait in the kernel, which resets their connections if the process
 * closes them unread. This is enough to read and answer them.
 */
const closeDelayMs = 100;
const blocksOf = { alone: ownBlocks, primary: undefined, worker: sharedBlocks };
const portErrors: readonly unknown[] = ['EADDRINUSE', 'EACCES'];
const hostErrors: readonly unknown[] = ['EADDRNOTAVAIL', 'EINVAL', 'ENOTFOUND', 'EAI_AGAIN'];

const { command, help, version, config: configFile, ...others } = readArgumentsOrExit();
let loaded: LoadedConfig | null = null;
if (help || version || command !== undefined) endWithOutput();
if (help) {
  process.stdout.write(
    `Starts the GraphQL gateway. It is configured by environment variables.\n\n${argumentsTable}\nA secret can also be in a file, whose path is in the variable with the suffix _FILE.\n\nVariable, default, range and meaning (times in milliseconds, unless stated otherwise):\n\n`,
  );
  process.stdout.write(`${printSettings(settingsTable)}\n`);
  // Importing everything fills the compile cache: the image build runs `--help` for that purpose.
  await loadGateway();
} else if (version) {
  const running = readVersion();
  process.stdout.write(`dms-graphql-gateway ${running.version}, commit ${running.commit}\n`);
} else if (others.watch) {
  startWatching();
} else if (command === undefined) {
  if (isWatched) process.once('disconnect', () => process.exit(1)); // ends with the process that watches
  let settings = await readConfigOrExit();
  // A request that is not answered must not delay a restart.
  if (isWatched) settings = { ...settings, shutdownTimeoutMs: 250 };
  // A restart by `--watch` replaces one process.
  const isPrimary = settings.workers > 1 && !isWatched;
  await (cluster.isWorker ? runAsWorker(settings) : run(isPrimary ? 'primary' : 'alone', settings));
} else {
  await (command.run === undefined ? writeSchema() : runCommand(command));
  await new Promise((resolve) => process.stdout.write('', resolve));
  process.exit(); // what the configuration file has opened would keep the process running
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

async function runCommand(given: Command): Promise<void> {
  const settings = await readConfigOrExit();
  try {
    const { openCommandDms } = await import('./startup/commands.ts');
    const isSuccessful = await given.run(settings, {
      runAs: others['run-as'] ?? null,
      openDms: () => openCommandDms(settings),
      write: writeOut,
    });
    process.exitCode = isSuccessful ? 0 : 1;
  } catch (error) {
    failToStart(error, settings);
  }
}

async function writeSchema(): Promise<void> {
  const { printServedSchema, schemaSettings } = await import('./startup/commands.ts');
  const settings = await readConfigOrExit(schemaSettings);
  const directory = loaded ? dirname(loaded.path) : process.cwd();
  try {
    const { config: team = {} } = loaded ?? {};
    await writeOut(await printServedSchema(settings, team, directory, others.schemaOption));
  } catch (error) {
    writeError(`${messageOf(error)}\n${locationOf(error)}`);
    process.exitCode = 1;
  }
}

async function writeOut(text: string): Promise<void> {
  if (others.out === undefined) process.stdout.write(text);
  else await writeFile(others.out, text);
}

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

async function readConfigOrExit(names?: readonly string[]): Promise<Settings> {
  const only = (from: object) =>
    Object.fromEntries(Object.entries(from).filter(([name]) => names?.includes(name) ?? true));
  const read = (ofFile: object): Settings => readEnvironment(only(process.env), only(ofFile));
  try {
    loaded = await loadConfig(configFile ?? null, process.cwd(), dependOn);
    return read(loaded?.config.settings ?? {});
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof GatewayConfigError)) throw error;
    writeError(`${error.message}\n${locationOf(error)}`);
    if (error instanceof GatewayConfigError && error.settings !== null) {
      reportProblem(read, error.settings);
    }
    // Node then prints the place in the file, also of a syntax error.
    if (error.cause !== undefined) throw error.cause;
    return process.exit(1);
  }
}

function reportProblem(read: (ofFile: object) => Settings, ofFile: object): void {
  try {
    read(ofFile);
  } catch (error) {
    writeError(`${messageOf(error)}\n`);
  }
}

function readProcessSettings(): Settings {
  return readEnvironment(process.env, loaded?.config.settings);
}

type Role = 'alone' | 'primary' | 'worker';

async function run(role: Exclude<Role, 'worker'>, settings: Settings): Promise<void> {
  const { output, log } = await openLog(role, settings);
  const stopSignals = watchStopSignals(log, output);
  try {
    const tls = await openTlsFiles(settings.tlsSettings, log); // workers could not start without
    const dms = await startDms(settings);
    const server =
      role === 'alone'
        ? await serveHere(settings, dms, log, tls)
        : await startPrimary(settings, dms, log);
    if ('kill' in server) stopSignals.kill = server.kill;
    reloadSecretsOnHangup(settings, log, readProcessSettings, server.replaceSecrets);
    const started = await Promise.race([server.ready, stopSignals.first]);
    if (started !== undefined) {
      writeStart(settings, started, dms, output);
      if (started.pids !== undefined) log.write('info', 'workers started', { pids: started.pids });
      void writeWarnings(settings, log, tls);
    }
    await stopSignals.first;
    await exitWhenStopped(stopBoth(server, dms), log, output);
  } catch (error) {
    failToStart(error, settings);
  }
}

async function openLog(
  role: Role,
  settings: Settings,
  base: { readonly worker: number } | null = null,
) {
  const output = await openStandardOutput(blocksOf[role]);
  const log = createLog(settings.logLevel, output, base);
  exitOnUncaughtException(log, output, loaded !== null);
  return { output, log };
}

async function serveHere(
  settings: Settings,
  dms: DmsAddress,
  log: Log,
  tls: ServiceTls,
  member?: ServeOptions['member'],
) {
  const server = await serve(settings, dms, log, {
    processMetrics: true,
    closeDelayMs: isWatched ? 0 : closeDelayMs,
    tls,
    dependOn,
    teamConfig: loaded?.config,
    directory: loaded ? dirname(loaded.path) : undefined,
    ...(member && { member }),
  });
  const ready: Promise<Started> = Promise.resolve(server);
  return { ...server, ready };
}

type Started = Pick<ServedGateway, 'url' | 'links'> & { readonly pids?: readonly unknown[] };

async function startPrimary(settings: Settings, { url, sandbox }: DmsAddress, log: Log) {
  const { startWorkers } = await import('./startup/workers/primary.ts');
  const fileUrlSecret = settings.fileUrlSecret ?? randomBytes(32).toString('base64url');
  const own = { url, sandbox, fileUrlSecret, replica: randomUUID() };
  return startWorkers({ ...settings, ...own, log: log.write });
}

async function runAsWorker(settings: Settings): Promise<void> {
  // A signal to the process group also reaches the primary, which stops the workers.
  for (const signal of [...signalsToStop, ...(isReloadable(settings) ? ['SIGHUP'] : [])]) {
    process.on(signal, () => {});
  }
  const { runWorker } = await import('./startup/workers/worker.ts');
  runWorker(async ({ worker, replica, port, url, sandbox, fileUrlSecret }, others) => {
    const { output, log } = await openLog('worker', settings, { worker });
    const ofWorker = { ...settings, port, fileUrlSecret };
    const tls = await openTlsFiles(settings.tlsSettings, log);
    const member = { worker, replica, others };
    const server = await serveHere(ofWorker, { url, sandbox }, log, tls, member);
    const stop = async (): Promise<boolean> => {
      const clean = await logStop(server.stop(), log);
      await output.drained();
      return clean ?? false;
    };
    return { ...server, stop };
  });
}

async function stopBoth(server: { stop(): Promise<boolean> }, dms: ManagedDms): Promise<boolean> {
  const clean = await server.stop();
  await dms.close();
  return clean;
}

/** Says where the gateway is: in lines of text at a terminal, otherwise in one line of JSON, as all others of the log. */
function writeStart(
  settings: Settings,
  { url, links }: Started,
  dms: ManagedDms,
  output: LogOutput,
): void {
  const base = settings.publicUrl ?? url;
  const places = {
    'GraphQL gateway': `${base}/graphql`,
    ...Object.fromEntries(Object.entries(links).map(([what, path]) => [what, base + path])),
  };
  const identity = settings.identity.mode;
  if (!isatty(1)) {
    const fields = { url: base, places, configuration: loaded?.path, dms: dms.name, identity };
    createLog('info', output).write('info', 'gateway started', fields);
    return;
  }
  const lines = [
    ...Object.entries(places).map(([what, at]) => `${what}: ${at}`),
    `Files: ${base}/files/…, health: /healthz and /readyz, metrics: /metrics`,
    ...(loaded === null ? [] : [`Configuration file: ${loaded.path}`]),
    `DMS: ${dms.name}, IDENTITY=${identity}`,
    '',
  ];
  process.stdout.write(printableLines(lines.join('\n')));
}

function writeError(text: string): void {
  process.stderr.write(printableLines(text));
}

async function writeWarnings(
  { warnings, dmsUrl, dmsProxy }: Settings,
  log: Log,
  tls: ServiceTls,
): Promise<void> {
  for (const warning of [...warnings, ...certificateWarnings(tls)]) log.write('warn', warning);
  if (dmsUrl === null) return;
  const { probeDms } = await import('./rest/index.ts');
  const { reason, certificate } = await probeDms(dmsUrl, tls.dms, dmsProxy);
  if (reason === null) return;
  const certificates = tls.dms?.certificates.map(({ text }) => text);
  const proxy = dmsProxy === null ? undefined : new URL(dmsProxy).origin;
  log.write('warn', 'DMS not reachable', { reason, proxy, certificate, certificates });
}

function failToStart(error: unknown, { port, host }: Settings): never {
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
