import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { ConfigError, readConfig, settingsTable, type Config } from './config/read-config.ts';
import type { SharedStateOptions } from './redis/index.ts';
import type { HttpObserver } from './rest/client/observer.ts';
import type { WrittenData } from './rest/client/written-data.ts';
import { createLog, type Log } from './server/telemetry/log.ts';
import { openStandardOutput, type LogOutput } from './server/telemetry/log-output.ts';
import type { OtherWorkers, WorkerServer } from './workers/worker.ts';

/** Address and credential of a DMS. */
interface Dms {
  readonly url: string;
  /** Null for any other DMS than the embedded sandbox: the settings or the clients supply a credential. */
  readonly sandbox: EmbeddedSandbox | null;
}

interface EmbeddedSandbox {
  /** `Authorization` header that the sandbox accepts. */
  readonly authorization: string;
  /** Signs the tokens for its people. */
  readonly tokenSecret: string;
}

/** A DMS, which this process may have started. */
interface ManagedDms extends Dms {
  /** Description for the startup message. */
  readonly name: string;
  close(): Promise<void>;
}

/** Log lines are written in blocks of this size, in characters. */
const blockLength = 3 * 1024;
/** The built front end of examples/inbox, which is served beside the embedded sandbox. */
const inboxDirectory = fileURLToPath(new URL('../examples/inbox/dist', import.meta.url));
/** How long a shutdown waits for the collector of traces. */
const traceFlushMs = 2000;
const signalsToStop = ['SIGTERM', 'SIGINT'] as const;

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  process.stdout.write(
    `Starts the GraphQL gateway. It is configured by environment variables.\n\nVariable, default and meaning (times in milliseconds, unless stated otherwise):\n\n`,
  );
  process.stdout.write(`${settingsTable()}\n`);
  // Importing everything fills the compile cache: the image build runs `--help` for that purpose.
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
  const output = await openStandardOutput(blockLength);
  const log = createLog(config.logLevel, output);
  exitOnUncaughtException(log, output);
  const stopSignals = watchStopSignals(log, output);
  try {
    const dms = await dmsFor(config);
    const gateway = await serve(config, dms, log);
    process.stdout.write(startupMessage(config, gateway.url, dms));
    for (const warning of config.warnings) log.write('warn', warning);
    await stopSignals.first;
    await exitWhenStopped(stopBoth(gateway, dms), log, output);
  } catch (error) {
    failToStart(error);
  }
}

/** Runs the embedded sandbox, if it is used, and supervises the workers. This process serves no requests. */
async function startPrimary(config: Config): Promise<void> {
  const { startWorkers } = await import('./workers/primary.ts');
  const output = await openStandardOutput();
  const log = createLog(config.logLevel, output);
  exitOnUncaughtException(log, output);
  const stopSignals = watchStopSignals(log, output);
  try {
    const dms = await dmsFor(config);
    const { url, sandbox } = dms;
    const workers = await startWorkers({
      ...config,
      count: config.workers,
      entry: process.argv[1] ?? '',
      sandbox: sandbox && { url, ...sandbox },
      fileUrlSecret: config.fileUrlSecret ?? randomSecret(),
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
    await exitWhenStopped(stopBoth(workers, dms), log, output);
  } catch (error) {
    failToStart(error);
  }
}

/** Runs one of several workers. It stops when the primary says so. */
async function startWorker(config: Config): Promise<void> {
  // A signal to the process group also reaches the primary, which stops the workers.
  for (const signal of signalsToStop) process.on(signal, () => {});
  const { runWorker } = await import('./workers/worker.ts');
  runWorker(async ({ worker, port, sandbox, fileUrlSecret, replica }, others) => {
    const output = await openStandardOutput(blockLength);
    const log = createLog(config.logLevel, output, { worker });
    exitOnUncaughtException(log, output);
    const dms = { url: sandbox?.url ?? config.dmsUrl ?? '', sandbox };
    const membership = { worker, replica, others };
    const gateway = await serve({ ...config, port, fileUrlSecret }, dms, log, membership);
    const stop = async (): Promise<boolean> => {
      const clean = await logStop(gateway.stop(), log);
      await output.drained();
      return clean ?? false;
    };
    return { ...gateway, stop };
  });
}

async function dmsFor(config: Config): Promise<ManagedDms> {
  if (config.dmsUrl !== null) {
    return { url: config.dmsUrl, sandbox: null, name: config.dmsUrl, async close() {} };
  }
  const { startSandbox } = await import('../sandbox/index.ts');
  const sandbox = await startSandbox({ dataDir: config.dataDir });
  const { url, authorization } = sandbox;
  const name = `the embedded sandbox (${url}, data in ${config.dataDir})`;
  return {
    url,
    sandbox: { authorization, tokenSecret: randomSecret() },
    name,
    close: () => sandbox.close(),
  };
}

function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Imports the modules that serve requests. The primary process does not need them. */
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

/** The place of this process among workers that share one port. */
interface Membership {
  readonly worker: number;
  readonly replica: string;
  readonly others: OtherWorkers;
}

/** Loads what only REDIS_URL and RATE_LIMIT need. The result connects to Redis. */
async function loadSharing({ rateLimit, redisUrl, sharedSecret, cacheTtlMs }: Config) {
  const sharing = redisUrl === null ? null : await import('./redis/index.ts');
  const limiting =
    rateLimit === null ? null : await import('./rest/client/resilience/rate-limiter.ts');
  return (
    observer: HttpObserver,
    options: Omit<SharedStateOptions, 'url' | 'secret' | 'cacheTtlMs'>,
  ) => {
    const shared =
      sharing === null || redisUrl === null || sharedSecret === null
        ? null
        : sharing.createSharedState({
            ...options,
            url: redisUrl,
            secret: sharedSecret,
            cacheTtlMs,
          });
    const rateLimiter =
      limiting === null || rateLimit === null
        ? null
        : limiting.createRateLimiter({
            callsPerMinute: rateLimit,
            observer,
            shared: shared?.counters,
          });
    return { shared, rateLimiter };
  };
}

async function serve(
  config: Config,
  dms: Dms,
  log: Log,
  membership?: Membership,
): Promise<WorkerServer> {
  const { others } = membership ?? {};
  const signIn =
    dms.sandbox === null || config.identity.mode !== 'service'
      ? undefined
      : (await import('./server/identity/sandbox-sign-in.ts')).createSandboxSignIn({
          url: dms.url,
          ...dms.sandbox,
        });
  const { createHttpClient, createGateway, listen, createMetrics } = await loadGateway();
  const metrics = createMetrics({
    process: true,
    ...(membership && {
      worker: { number: membership.worker, others: membership.others.metrics },
    }),
  });
  const tracing =
    config.tracing === null
      ? null
      : (await import('./server/telemetry/open-telemetry/index.ts')).createTracing(
          config.tracing,
          dms.url,
          log.write,
        );
  const connect = await loadSharing(config);
  // Nothing is awaited from here to `written`, which messages of other replicas use.
  const { shared, rateLimiter } = connect(metrics.observer, {
    baseUrl: dms.url,
    replica: membership?.replica,
    onWritten: (data) => written(data),
    onChange(isUp, reason) {
      metrics.redisChanged(isUp);
      if (isUp) log.write('info', 'using Redis');
      else log.write('warn', 'Redis not available', { reason });
    },
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
      // With a service account and without sign-in, all requests have the same caller.
      fairShare: config.identity.mode !== 'service' || signIn !== undefined,
      ...(rateLimiter && { rateLimiter }),
      ...(shared && { sharedCache: shared.cache }),
      ...((shared ?? others) && {
        async onWrite(resources, document) {
          // In this order: another worker then reads Redis.
          await shared?.cache.invalidate({ resources, document });
          await others?.invalidate({ resources, document });
        },
      }),
    },
    metrics.observer,
  );
  const sandboxCredential =
    dms.sandbox === null
      ? null
      : { kind: 'fixed' as const, authorization: dms.sandbox.authorization };
  const credential = config.credential ?? sandboxCredential;
  const frontEnd = dms.sandbox === null ? null : { directory: inboxDirectory };
  const gateway = createGateway(
    { ...config, credential, frontEnd },
    { http, log, metrics, tracing, signIn, sharedDocuments: shared?.documents },
  );
  /** Another process has written. */
  const written = ({ resources, document }: WrittenData): void => {
    http.invalidate(resources);
    if (document !== null) gateway.documentWritten(document);
  };
  // An invalid manifest prevents the start.
  if (config.persistedDocuments !== null) await gateway.load();
  const listening = await listen(gateway, { ...config, reusePort: membership !== undefined });
  // Started after the port listens. An error is ignored here: the first operation loads again and reports it.
  gateway.load().catch(() => {});
  return {
    url: listening.url,
    invalidate: written,
    metrics: metrics.snapshot,
    async stop() {
      const endAt = performance.now() + config.shutdownTimeoutMs;
      const clean = await listening.close(config.shutdownTimeoutMs);
      await http.close(Math.max(1000, endAt - performance.now()));
      shared?.close();
      await tracing?.stop(traceFlushMs);
      return clean;
    },
  };
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
function startupMessage(config: Config, url: string, dms: ManagedDms): string {
  const base = config.publicUrl ?? url;
  return [
    `GraphQL gateway: ${base}/graphql${config.playground ? ' (open it in a browser for the playground)' : ''}`,
    ...(dms.sandbox === null ? [] : [`Inbox, an example of a front end: ${base}/`]),
    `Files: ${base}/files/…, health: /healthz and /readyz, metrics: /metrics`,
    `DMS: ${dms.name}, IDENTITY=${config.identity.mode}`,
    '',
  ].join('\n');
}

interface StopSignals {
  /** Resolves on the first signal. */
  readonly first: Promise<void>;
  /** Called on the second signal, to kill the workers. */
  kill: () => void;
}

/**
 * The first signal requests a graceful stop, the second ends the process. The handlers are installed before the start:
 * without them, a signal during the start would abort requests of running workers, and PID 1 of a container would
 * ignore it.
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

/** Exits when everything has stopped: with code 0, even if running requests were aborted. */
async function exitWhenStopped(
  stopped: Promise<boolean>,
  log: Log,
  output: LogOutput,
): Promise<never> {
  const clean = await logStop(stopped, log);
  await output.drained();
  process.exit(clean === null ? 1 : 0);
}

/** Resolves with true if no request was aborted, and with null if the shutdown failed. */
async function logStop(stopped: Promise<boolean>, log: Log): Promise<boolean | null> {
  try {
    const clean = await stopped;
    const message = clean ? 'stopped' : 'stopped, running requests were aborted';
    log.write(clean ? 'info' : 'warn', message);
    return clean;
  } catch (error) {
    log.write('error', 'stopped with an error', { cause: messageOf(error) });
    return null;
  }
}

/** Exits on an uncaught exception. The state of the process is then unknown, so its supervisor restarts it. */
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
