import { fileURLToPath } from 'node:url';
import type { Config } from '../config/read-config.ts';
import type { SharedStateOptions } from '../redis/index.ts';
import type { HttpObserver } from '../rest/client/observer.ts';
import type { WrittenData } from '../rest/client/written-data.ts';
import type { ListeningServer } from '../server/http/listen.ts';
import type { Log } from '../server/telemetry/log.ts';
import type { OtherWorkers, WorkerServer } from '../workers/worker.ts';
import type { DmsAddress } from './managed-dms.ts';

/** The built front end of examples/inbox, which is served beside the embedded sandbox. */
const inboxDirectory = fileURLToPath(new URL('../../examples/inbox/dist', import.meta.url));
/** How long a shutdown waits for the collector of traces. */
const traceFlushMs = 2000;

/** Imports the modules that serve requests. The primary of several workers does not need them. */
export async function loadGateway() {
  const [{ createHttpClient }, { createGateway }, { listen }, { createMetrics }] =
    await Promise.all([
      import('../rest/client/http-client.ts'),
      import('../server/gateway.ts'),
      import('../server/http/listen.ts'),
      import('../server/telemetry/metrics.ts'),
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
  const sharing = redisUrl === null ? null : await import('../redis/index.ts');
  const limiting =
    rateLimit === null ? null : await import('../rest/client/resilience/rate-limiter.ts');
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

/** What depends on the process that serves. */
export interface ServeOptions {
  /** Whether /metrics includes memory, CPU and event loop of this process. At most one gateway of a process can do that. */
  readonly processMetrics: boolean;
  /** Set for one of several workers. */
  readonly membership?: Membership;
}

/**
 * Connects the gateway to its DMS and listens. If it throws, nothing remains open.
 *
 * @throws {ManifestError} if the manifest of trusted documents is invalid
 * @throws if the port is not available
 */
export async function serve(
  config: Config,
  dms: DmsAddress,
  log: Log,
  { processMetrics, membership }: ServeOptions,
): Promise<WorkerServer> {
  const { others } = membership ?? {};
  const signIn = await signInFor(config, dms);
  const { createHttpClient, createGateway, listen, createMetrics } = await loadGateway();
  const metrics = createMetrics({
    process: processMetrics,
    ...(membership && {
      worker: { number: membership.worker, others: membership.others.metrics },
    }),
  });
  const tracing =
    config.tracing === null
      ? null
      : (await import('../server/telemetry/open-telemetry/index.ts')).createTracing(
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
  const closeConnections = async (withinMs: number): Promise<void> => {
    await http.close(withinMs);
    shared?.close();
    await tracing?.stop(traceFlushMs);
  };
  let listening: ListeningServer;
  try {
    // An invalid manifest prevents the start.
    if (config.persistedDocuments !== null) await gateway.load();
    listening = await listen(gateway, { ...config, reusePort: membership !== undefined });
  } catch (error) {
    await closeConnections(0);
    throw error;
  }
  // Started after the port listens. An error is ignored here: the first operation loads again and reports it.
  gateway.load().catch(() => {});
  return {
    url: listening.url,
    invalidate: written,
    metrics: metrics.snapshot,
    async stop() {
      const endAt = performance.now() + config.shutdownTimeoutMs;
      const clean = await listening.close(config.shutdownTimeoutMs);
      await closeConnections(Math.max(1000, endAt - performance.now()));
      return clean;
    },
  };
}

/** The people of the embedded sandbox can sign in, unless the settings identify users in another way. */
async function signInFor({ identity }: Config, { url, sandbox }: DmsAddress) {
  if (sandbox === null || identity.mode !== 'service') return undefined;
  const { createSandboxSignIn } = await import('../server/identity/sandbox-sign-in.ts');
  return createSandboxSignIn({ url, ...sandbox });
}
