import { ConfigError, readConfig, settingsTable, type Config } from './config.ts';
import { createHttp } from './rest/http.ts';
import { createGateway } from './server/gateway.ts';
import { listen } from './server/listen.ts';
import { createLog, type Log } from './server/log.ts';
import { createMetrics } from './server/metrics.ts';

interface Dms {
  readonly url: string;
  /** What the sandbox lets in; null where the settings say how to get in, or each client. */
  readonly authorization: string | null;
  /** For people. */
  readonly name: string;
  close(): Promise<void>;
}

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  process.stdout.write(
    `Settings (environment variables), their defaults and meanings; times in ms:\n\n`,
  );
  process.stdout.write(`${settingsTable()}\n`);
} else {
  await start();
}

async function start(): Promise<void> {
  const config = readConfigOrNull();
  if (config === null) process.exit(1);
  const log = createLog(config.logLevel);
  process.on('uncaughtException', (error) => {
    // Nothing should get here. What the process would do next is not known, so it ends and is started anew.
    log.say('fatal', 'uncaught exception', { stack: error.stack });
    log.flush();
    process.exit(1);
  });
  try {
    const dms = await dmsFor(config);
    const stop = await serve(config, dms, log);
    stopOnSignal(stop, log);
  } catch (error) {
    process.stderr.write(`The gateway cannot start: ${messageOf(error)}\n`);
    process.exit(1);
  }
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

async function dmsFor(config: Config): Promise<Dms> {
  if (config.dmsUrl !== null) {
    return { url: config.dmsUrl, authorization: null, name: config.dmsUrl, async close() {} };
  }
  const { startSandbox } = await import('../sandbox/index.ts');
  const sandbox = await startSandbox({ dataDir: config.dataDir });
  const { url, authorization } = sandbox;
  const name = `the embedded sandbox (${url}, data in ${config.dataDir})`;
  return { url, authorization, name, close: () => sandbox.close() };
}

/** Returns what stops it all; that resolves with whether every request could end. */
async function serve(config: Config, dms: Dms, log: Log): Promise<() => Promise<boolean>> {
  const metrics = createMetrics({ process: true });
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
    },
    metrics.observer,
  );
  const sandboxCredential =
    dms.authorization === null
      ? null
      : { kind: 'fixed' as const, authorization: dms.authorization };
  const credential = config.credential ?? sandboxCredential;
  const gateway = createGateway({ ...config, credential }, { http, log, metrics });
  const listening = await listen(gateway, config);
  announce(config, listening.url, dms.name);
  for (const warning of config.warnings) log.say('warn', warning);
  return async () => {
    const endAt = performance.now() + config.shutdownTimeoutMs;
    const clean = await listening.close(config.shutdownTimeoutMs);
    await http.close(Math.max(1000, endAt - performance.now()));
    await dms.close();
    return clean;
  };
}

/** Plain lines for whoever starts it by hand; the log follows them. */
function announce(config: Config, url: string, dmsName: string): void {
  const base = config.publicUrl ?? url;
  process.stdout.write(
    [
      `GraphQL gateway: ${base}/graphql${config.playground ? ' (open it in a browser for the playground)' : ''}`,
      `Files ${base}/files/…, health ${base}/healthz and /readyz, metrics ${base}/metrics`,
      `It talks to ${dmsName} (IDENTITY=${config.identity.mode}).`,
      '',
    ].join('\n'),
  );
}

/** The first signal lets requests end and exits 0; the second ends at once. */
function stopOnSignal(stop: () => Promise<boolean>, log: Log): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping) {
      log.flush();
      process.exit(1);
    }
    stopping = true;
    log.say('info', 'stopping', { signal });
    stop().then(
      (clean) => {
        log.say(clean ? 'info' : 'warn', clean ? 'stopped' : 'stopped, requests were cut');
        log.flush();
        process.exit(0);
      },
      (error: unknown) => {
        log.say('error', 'stopped with a failure', { cause: messageOf(error) });
        log.flush();
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
