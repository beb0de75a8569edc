import { randomBytes } from 'node:crypto';
import { ConfigError, readConfig, settingsTable, type Config } from './config/read-config.ts';
import { createLog, type Log } from './server/telemetry/log.ts';
import { standardOutput, type Output } from './server/telemetry/log-output.ts';
import type { Link } from './workers/primary-connection.ts';

/** How to reach a DMS. */
interface Dms {
  readonly url: string;
  /** What the sandbox lets in; null where the settings say how to get in, or each client. */
  readonly authorization: string | null;
}

/** A DMS that this process may have started. */
interface OwnDms extends Dms {
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
    `Settings (environment variables), their defaults and meanings; times in ms:\n\n`,
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
  endOnDefects(log, output);
  const stopSignals = watchStopSignals(log, output);
  try {
    const dms = await dmsFor(config);
    const gateway = await serve(config, dms, log);
    process.stdout.write(announcement(config, gateway.url, dms));
    for (const warning of config.warnings) log.say('warn', warning);
    await stopSignals.first;
    await end(stopBoth(gateway, dms), log, output.drained);
  } catch (error) {
    cannotStart(error);
  }
}

/** Holds the sandbox where there is one, and the workers; no request of a client is answered here. */
async function startPrimary(config: Config): Promise<void> {
  const { startWorkers } = await import('./workers/primary.ts');
  const output = standardOutput();
  const log = createLog(config.logLevel, output);
  endOnDefects(log, output);
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
      say: log.say,
    });
    stopSignals.kill = workers.kill;
    const started = await Promise.race([workers.ready, stopSignals.first]);
    if (started !== undefined) {
      output.write(announcement(config, started.url, dms));
      for (const warning of config.warnings) log.say('warn', warning);
      log.say('info', 'workers started', { pids: started.pids });
    }
    await stopSignals.first;
    await end(stopBoth(workers, dms), log, output.drained);
  } catch (error) {
    cannotStart(error);
  }
}

/** One of several; when it stops is for the primary to say. */
async function startWorker(config: Config): Promise<void> {
  // A signal for the whole group comes to the primary as well, and would count twice.
  for (const signal of signalsToStop) process.on(signal, () => {});
  const { joinPrimary } = await import('./workers/connect-to-primary.ts');
  const link = joinPrimary();
  const { worker, port, sandbox, fileUrlSecret } = await link.orders;
  const output = standardOutput(blockLength);
  const log = createLog(config.logLevel, output, { worker });
  endOnDefects(log, output);
  try {
    const dms = sandbox ?? { url: config.dmsUrl ?? '', authorization: null };
    const gateway = await serve({ ...config, port, fileUrlSecret }, dms, log, { worker, link });
    await link.tell({ kind: 'listening', url: gateway.url });
    await link.stopWanted;
    await end(gateway.stop(), log, async (clean) => {
      await output.drained();
      await link.tell({ kind: 'stopped', clean });
    });
  } catch (error) {
    await link.tell({ kind: 'failed', reason: messageOf(error) });
    process.exit(1);
  }
}

async function dmsFor(config: Config): Promise<OwnDms> {
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
  const [{ createHttp }, { createGateway }, { listen }, { createMetrics }] = await Promise.all([
    import('./rest/client/http-client.ts'),
    import('./server/gateway.ts'),
    import('./server/http/listen.ts'),
    import('./server/telemetry/metrics.ts'),
  ]);
  return { createHttp, createGateway, listen, createMetrics };
}

/** One of several that answer on the same port. */
interface Membership {
  readonly worker: number;
  readonly link: Link;
}

async function serve(
  config: Config,
  dms: Dms,
  log: Log,
  membership?: Membership,
): Promise<Gateway> {
  const { link } = membership ?? {};
  const { createHttp, createGateway, listen, createMetrics } = await loadGateway();
  const metrics = createMetrics({
    process: true,
    ...(membership && {
      worker: { number: membership.worker, others: () => membership.link.ask('figures', null) },
    }),
  });
  const http = createHttp(
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
      ...(link && { onWrite: (touched) => link.ask('forget', touched) }),
    },
    metrics.observer,
  );
  const sandboxCredential =
    dms.authorization === null
      ? null
      : { kind: 'fixed' as const, authorization: dms.authorization };
  const credential = config.credential ?? sandboxCredential;
  const gateway = createGateway({ ...config, credential }, { http, log, metrics });
  link?.join({ forget: (touched) => http.forget(touched), figures: metrics.figures });
  const listening = await listen(gateway, { ...config, reusePort: membership !== undefined });
  // Once the port listens: what it finds missing then, the first operation finds missing too, and says so.
  gateway.load().catch(() => {});
  return {
    url: listening.url,
    async stop() {
      const endAt = performance.now() + config.shutdownTimeoutMs;
      const clean = await listening.close(config.shutdownTimeoutMs);
      await http.close(Math.max(1000, endAt - performance.now()));
      return clean;
    },
  };
}

async function stopBoth(answering: Pick<Gateway, 'stop'>, dms: OwnDms): Promise<boolean> {
  const clean = await answering.stop();
  await dms.close();
  return clean;
}

/** Plain lines for whoever starts it by hand; the log follows them. */
function announcement(config: Config, url: string, dms: OwnDms): string {
  const base = config.publicUrl ?? url;
  return [
    `GraphQL gateway: ${base}/graphql${config.playground ? ' (open it in a browser for the playground)' : ''}`,
    `Files ${base}/files/…, health ${base}/healthz and /readyz, metrics ${base}/metrics`,
    `It talks to ${dms.name} (IDENTITY=${config.identity.mode}).`,
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
function watchStopSignals(log: Log, output: Output): StopSignals {
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
    log.say('info', 'stopping', { signal });
    first.resolve();
  };
  for (const signal of signalsToStop) process.on(signal, onSignal);
  return watched;
}

/**
 * Ends the process when everything has stopped: with 0, even where requests had to be cut.
 * @param leave sends out what the process has still to say
 */
async function end(
  stopped: Promise<boolean>,
  log: Log,
  leave: (clean: boolean) => Promise<void> | void,
): Promise<never> {
  try {
    const clean = await stopped;
    log.say(clean ? 'info' : 'warn', clean ? 'stopped' : 'stopped, requests were cut');
    await leave(clean);
    process.exit(0);
  } catch (error) {
    log.say('error', 'stopped with a failure', { cause: messageOf(error) });
    await leave(false);
    process.exit(1);
  }
}

/** Nothing should get here. What the process would do next is not known, so it ends and is started anew. */
function endOnDefects(log: Log, output: Output): void {
  process.on('uncaughtException', (error) => {
    log.say('fatal', 'uncaught exception', { stack: error.stack });
    output.flush();
    process.exit(1);
  });
}

function cannotStart(error: unknown): never {
  process.stderr.write(`The gateway cannot start: ${messageOf(error)}\n`);
  process.exit(1);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
