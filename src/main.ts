import { randomBytes } from 'node:crypto';
import { ConfigError, readConfig, settingsTable, type Config } from './config/read-config.ts';
import { createLog, type Log } from './server/telemetry/log.ts';
import { standardOutput, type LogOutput } from './server/telemetry/log-output.ts';
import type { PrimaryConnection } from './workers/primary-connection.ts';

/** How to reach a DMS. */
interface Dms {
  readonly url: string;
  /** What the sandbox lets in; null where the settings say how to get in, or each client. */
  readonly authorization: string | null;
}

/** A DMS that this process may have started. */
interface ManagedDms extends Dms {
  /** For people. */
  readonly name: string;
  close(): Promise<void>;
}

interface Gateway {
  readonly url: string;
  /** Resolves with whether every request could end. */
  stop(): Promise<boolean>;
}

/** Of the log, in characters. */
const blockLength = 32 * 1024;
const signalsToStop = ['SIGTERM', 'SIGINT'] as const;

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  process.stdout.write(
    `Starts the GraphQL gateway. It is configured by environment variables.\n\nVariable, default and meaning (times in milliseconds, unless stated otherwise):\n\n`,
  );
  process.stdout.write(`${settingsTable()}\n`);
  // An image is built with this: what a start needs is compiled then.
  await loadGateway();
} else {
  await start();
}

async function start(): Promise<void> {
  const config = readConfigOrNull();
  if (config === null) process.exit(1);
  if (config.workers === 1) return startAlone(config);
  return process.argv.includes('--worker') ? startWorker(config) : startPrimary(config);
}

function readConfigOrNull(): Config | null {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return null;
  }
}

async function startAlone(config: Config): Promise<void> {
  const output = standardOutput(blockLength);
  const log = createLog(config.logLevel, output);
  exitOnUncaughtException(log, output);
  const stopSignals = watchStopSignals(log, output);
  try {
    const dms = await dmsFor(config);
    const gateway = await serve(config, dms, log);
    process.stdout.write(startupMessage(config, gateway.url, dms));
    for (const warning of config.warnings) log.write('warn', warning);
    await stopSignals.first;
    await exitWhenStopped(stopBoth(gateway, dms), log, output.drained);
  } catch (error) {
    failToStart(error);
  }
}

/** Holds the sandbox where there is one, and the workers; no request of a client is answered here. */
async function startPrimary(config: Config): Promise<void> {
  const { startWorkers } = await import('./workers/primary.ts');
  const output = standardOutput();
  const log = createLog(config.logLevel, output);
  exitOnUncaughtException(log, output);
  const stopSignals = watchStopSignals(log, output);
  try {
    const dms = await dmsFor(config);
    const { url, authorization } = dms;
    const workers = await startWorkers({
      ...config,
      count: config.workers,
      entry: process.argv[1] ?? '',
      sandbox: authorization === null ? null : { url, authorization },
      fileUrlSecret: config.fileUrlSecret ?? randomBytes(32).toString('base64url'),
      output,
      log: log.write,
    });
    stopSignals.kill = workers.kill;
    const started = await Promise.race([workers.ready, stopSignals.first]);
    if (started !== undefined) {
      output.write(startupMessage(config, started.url, dms));
      for (const warning of config.warnings) log.write('warn', warning);
      log.write('info', 'workers started', { pids: started.pids });
    }
    await stopSignals.first;
    await exitWhenStopped(stopBoth(workers, dms), log, output.drained);
  } catch (error) {
    failToStart(error);
  }
}

/** One of several; when it stops is for the primary to say. */
async function startWorker(config: Config): Promise<void> {
  // A signal for the whole group comes to the primary as well, and would count twice.
  for (const signal of signalsToStop) process.on(signal, () => {});
  const { connectToPrimary } = await import('./workers/connect-to-primary.ts');
  const primary = connectToPrimary();
  const { worker, port, sandbox, fileUrlSecret } = await primary.config;
  const output = standardOutput(blockLength);
  const log = createLog(config.logLevel, output, { worker });
  exitOnUncaughtException(log, output);
  try {
    const dms = sandbox ?? { url: config.dmsUrl ?? '', authorization: null };
    const gateway = await serve({ ...config, port, fileUrlSecret }, dms, log, { worker, primary });
    await primary.sendEvent({ kind: 'listening', url: gateway.url });
    await primary.stopWanted;
    await exitWhenStopped(gateway.stop(), log, async (clean) => {
      await output.drained();
      await primary.sendEvent({ kind: 'stopped', clean });
    });
  } catch (error) {
    await primary.sendEvent({ kind: 'failed', reason: messageOf(error) });
    process.exit(1);
  }
}

async function dmsFor(config: Config): Promise<ManagedDms> {
  if (config.dmsUrl !== null) {
    return { url: config.dmsUrl, authorization: null, name: config.dmsUrl, async close() {} };
  }
  const { startSandbox } = await import('../sandbox/index.ts');
  const sandbox = await startSandbox({ dataDir: config.dataDir });
  const { url, authorization } = sandbox;
  const name = `the embedded sandbox (${url}, data in ${config.dataDir})`;
  return { url, authorization, name, close: () => sandbox.close() };
}

/** Only what answers requests loads this: the schema, and what runs it. */
async function loadGateway() {
  const [{ createHttpClient }, { createGateway }, { listen }, { createMetrics }] =
    await Promise.all([
      import('./rest/client/http-client.ts'),
      import('./server/gateway.ts'),
      import('./server/http/listen.ts'),
      import('./server/telemetry/metrics.ts'),
    ]);
  return { createHttpClient, createGateway, listen, createMetrics };
}

/** One of several that answer on the same port. */
interface Membership {
  readonly worker: number;
  readonly primary: PrimaryConnection;
}

async function serve(
  config: Config,
  dms: Dms,
  log: Log,
  membership?: Membership,
): Promise<Gateway> {
  const { primary } = membership ?? {};
  const { createHttpClient, createGateway, listen, createMetrics } = await loadGateway();
  const metrics = createMetrics({
    process: true,
    ...(membership && {
      worker: { number: membership.worker, others: () => membership.primary.ask('figures', null) },
    }),
  });
  const { rateLimit, redisUrl, sharedSecret } = config;
  const shared =
    redisUrl === null || sharedSecret === null
      ? null
      : (await import('./redis/index.ts')).createSharedState({
          url: redisUrl,
          secret: sharedSecret,
          baseUrl: dms.url,
          cacheTtlMs: config.cacheTtlMs,
          onInvalidated: (affected) => http.invalidate(affected),
          onChange(isUp, reason) {
            metrics.redisChanged(isUp);
            if (isUp) log.write('info', 'using Redis');
            else log.write('warn', 'Redis not available', { reason });
          },
        });
  const rateLimiter =
    rateLimit === null
      ? null
      : (await import('./rest/client/resilience/rate-limiter.ts')).createRateLimiter({
          callsPerMinute: rateLimit,
          observer: metrics.observer,
          shared: shared?.counters,
        });
  const http = createHttpClient(
    {
      baseUrl: dms.url,
      runAsHeader: config.runAsHeader,
      timeoutMs: config.dmsTimeoutMs,
      retries: config.retries,
      connections: config.connections,
      projection: config.projection,
      cacheTtlMs: config.cacheTtlMs,
      singleFlight: config.singleFlight,
      fairShare: config.identity.mode !== 'service', // there everybody is one caller
      ...(rateLimiter && { rateLimiter }),
      ...(shared && { sharedCache: shared.cache }),
      ...((shared ?? primary) && {
        async onWrite(affected) {
          await shared?.cache.invalidate(affected);
          await primary?.ask('forget', affected);
        },
      }),
    },
    metrics.observer,
  );
  const sandboxCredential =
    dms.authorization === null
      ? null
      : { kind: 'fixed' as const, authorization: dms.authorization };
  const credential = config.credential ?? sandboxCredential;
  const gateway = createGateway({ ...config, credential }, { http, log, metrics });
  primary?.join({ forget: (affected) => http.invalidate(affected), figures: metrics.snapshot });
  // A manifest that cannot be used ends the start.
  if (config.persistedDocuments !== null) await gateway.load();
  const listening = await listen(gateway, { ...config, reusePort: membership !== undefined });
  // Once the port listens: what it finds missing then, the first operation finds missing too, and says so.
  gateway.load().catch(() => {});
  return {
    url: listening.url,
    async stop() {
      const endAt = performance.now() + config.shutdownTimeoutMs;
      const clean = await listening.close(config.shutdownTimeoutMs);
      await http.close(Math.max(1000, endAt - performance.now()));
      shared?.close();
      return clean;
    },
  };
}

async function stopBoth(answering: Pick<Gateway, 'stop'>, dms: ManagedDms): Promise<boolean> {
  const clean = await answering.stop();
  await dms.close();
  return clean;
}

/** Plain lines for whoever starts it by hand; the log follows them. */
function startupMessage(config: Config, url: string, dms: ManagedDms): string {
  const base = config.publicUrl ?? url;
  return [
    `GraphQL gateway: ${base}/graphql${config.playground ? ' (open it in a browser for the playground)' : ''}`,
    `Files: ${base}/files/…, health: ${base}/healthz and /readyz, metrics: ${base}/metrics`,
    `DMS: ${dms.name}, IDENTITY=${config.identity.mode}`,
    '',
  ].join('\n');
}

interface StopSignals {
  /** Resolves with the first one. */
  readonly first: Promise<void>;
  /** Called with the second one: ends what else runs. */
  kill: () => void;
}

/**
 * The first signal asks for a stop, the second ends the process at once. Watched from the beginning: a signal that comes
 * during the start would otherwise cut the requests of workers that have started, and be ignored in a container.
 */
function watchStopSignals(log: Log, output: LogOutput): StopSignals {
  const first = Promise.withResolvers<void>();
  const watched: StopSignals = { first: first.promise, kill() {} };
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isStopping) {
      watched.kill();
      output.flush();
      process.exit(1);
    }
    isStopping = true;
    log.write('info', 'stopping', { signal });
    first.resolve();
  };
  for (const signal of signalsToStop) process.on(signal, onSignal);
  return watched;
}

/**
 * Ends the process when everything has stopped: with 0, even where requests had to be cut.
 * @param beforeExit sends out what the process has still to say
 */
async function exitWhenStopped(
  stopped: Promise<boolean>,
  log: Log,
  beforeExit: (clean: boolean) => Promise<void> | void,
): Promise<never> {
  try {
    const clean = await stopped;
    log.write(
      clean ? 'info' : 'warn',
      clean ? 'stopped' : 'stopped, running requests were aborted',
    );
    await beforeExit(clean);
    process.exit(0);
  } catch (error) {
    log.write('error', 'stopped with an error', { cause: messageOf(error) });
    await beforeExit(false);
    process.exit(1);
  }
}

/** Nothing should get here. What the process would do next is not known, so it ends and is started anew. */
function exitOnUncaughtException(log: Log, output: LogOutput): void {
  process.on('uncaughtException', (error) => {
    log.write('fatal', 'uncaught exception', { stack: error.stack });
    output.flush();
    process.exit(1);
  });
}

function failToStart(error: unknown): never {
  process.stderr.write(`The gateway cannot start: ${messageOf(error)}\n`);
  process.exit(1);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
