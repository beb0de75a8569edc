import { fileURLToPath } from 'node:url';
import type { Config } from '../config/read-config.ts';
import type { ListeningServer } from '../server/http/listen.ts';
import type { Log } from '../server/telemetry/log.ts';
import type { PrimaryConnection } from '../workers/primary-connection.ts';
import type { DmsAddress } from './managed-dms.ts';

/** The built front end of examples/inbox, which is served beside the embedded sandbox. */
const inboxDirectory = fileURLToPath(new URL('../../examples/inbox/dist', import.meta.url));

/** How long a shutdown waits for the collector of traces. */
const traceFlushMs = 2000;

/** A gateway that listens. */
export interface GatewayServer {
  /** Base URL without a trailing slash. */
  readonly url: string;
  /**
   * Stops after the running requests, or aborts them after `SHUTDOWN_TIMEOUT_MS`. Resolves with true if no running request was
   * aborted.
   */
  stop(): Promise<boolean>;
}

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
  readonly primary: PrimaryConnection;
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
): Promise<GatewayServer> {
  const { primary } = membership ?? {};
  const signIn = await signInFor(config, dms);
  const { createHttpClient, createGateway, listen, createMetrics } = await loadGateway();
  const metrics = createMetrics({
    process: processMetrics,
    ...(membership && {
      worker: { number: membership.worker, others: () => membership.primary.ask('figures', null) },
    }),
  });
  const { rateLimit, redisUrl, sharedSecret } = config;
  const tracing =
    config.tracing === null
      ? null
      : (await import('../server/telemetry/open-telemetry/index.ts')).createTracing(
          config.tracing,
          dms.url,
          log.write,
        );
  const shared =
    redisUrl === null || sharedSecret === null
      ? null
      : (await import('../redis/index.ts')).createSharedState({
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
      : (await import('../rest/client/resilience/rate-limiter.ts')).createRateLimiter({
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
      // With a service account and without sign-in, all requests have the same caller.
      fairShare: config.identity.mode !== 'service' || signIn !== undefined,
      ...(rateLimiter && { rateLimiter }),
      ...(shared && { sharedCache: shared.cache }),
      ...((shared ?? primary) && {
        async onWrite(resources, document) {
          // In this order: a worker that is told to forget reads Redis next.
          await shared?.cache.invalidate(resources);
          await primary?.ask('forget', { resources, document });
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
    { http, log, metrics, tracing, signIn },
  );
  primary?.join({
    forget({ resources, document }) {
      http.invalidate(resources);
      if (document !== null) gateway.documentWritten(document);
    },
    figures: metrics.snapshot,
  });
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
