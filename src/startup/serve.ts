import { randomUUID } from 'node:crypto';
import type { Dispatcher } from 'undici';
import type { Settings } from '../config/read-config.ts';
import type { ByTlsService } from '../config/tls-settings.ts';
import { featureOf, openSchemaOf, type TeamConfig } from '../gateway-config.ts';
import { features as allFeatures } from '../features/index.ts';
import type { Credential } from '../model/identity.ts';
import type {
  DescribedCertificate,
  RateLimiter,
  SharedCounters,
  WriteNotification,
} from '../rest/index.ts';
import type { ChangedSecrets } from '../model/identity.ts';
import { openFeatures } from '../server/feature.ts';
import { hasHttpHooks } from '../server/graphql/http-hooks.ts';
import type { ListeningServer } from '../server/http/listen.ts';
import { maxConnections } from '../server/http/request-limits.ts';
import type { Log } from '../server/telemetry/log.ts';
import type { Metrics, MetricsSnapshot } from '../server/telemetry/metrics.ts';
import type { DmsAddress } from './managed-dms.ts';
import type { TlsFiles } from './tls-files.ts';

/** Imports the modules that serve requests. The first of several processes does not need them. */
export async function loadGateway() {
  const [{ HttpClient }, { createGateway }, { listen }, { createMetrics }] = await Promise.all([
    import('../rest/index.ts'),
    import('../server/gateway.ts'),
    import('../server/http/listen.ts'),
    import('../server/telemetry/metrics.ts'),
  ]);
  return { HttpClient, createGateway, listen, createMetrics };
}

/** The other workers of a gateway, as one of them reaches them. */
export interface OtherWorkers {
  /** Resolves when all of them have invalidated the data, after a second at the latest. */
  invalidate(written: WriteNotification): Promise<void>;
  /** The metrics of those that answer within a second. */
  metrics(): Promise<readonly MetricsSnapshot[]>;
  /** Counters of all workers. */
  readonly counters: SharedCounters;
}

/** What depends on the process that serves. */
export interface ServeOptions {
  /**
   * Whether /metrics includes memory, CPU and event loop of this process. At most one gateway of a process can do that.
   */
  readonly processMetrics: boolean;
  /** How long a stopping gateway still accepts connections, to reject their requests, in milliseconds. Default 0. */
  readonly closeDelayMs?: number;
  /** Set for one of several workers. */
  readonly member?: {
    readonly worker: number;
    readonly replica: string;
    readonly others: OtherWorkers;
  };
  readonly tls: ServiceTls;
  /** Replaces the network for the requests to the DMS. */
  readonly dispatcher?: Dispatcher | undefined;
  /** @see Host.dependOn */
  readonly dependOn: (path: string) => void;
  /** What a team adds. */
  readonly teamConfig?: TeamConfig | undefined;
  /** Paths in it are relative to this one. Default: the working directory. */
  readonly directory?: string | undefined;
}

/** A gateway in this process. */
export interface ServedGateway {
  readonly url: string;
  /** Pages and endpoints for people, by what they are. */
  readonly links: Readonly<Record<string, string>>;
  /** The metrics of this process. */
  metrics(): Promise<MetricsSnapshot>;
  /** Stops using what this process has cached of the data that another process changed. */
  invalidate(written: WriteNotification): void;
  /** Uses other secrets from now on. */
  replaceSecrets(changed: ChangedSecrets): void;
  /** Resolves with true if no running request was aborted, when everything is written. */
  stop(): Promise<boolean>;
}

/**
 * Connects the gateway to its DMS and listens. If it throws, nothing remains open.
 *
 * @throws what a feature throws
 * @throws if the port is not available
 */
export async function serve(
  settings: Settings,
  dms: DmsAddress,
  log: Log,
  options: ServeOptions,
): Promise<ServedGateway> {
  const { processMetrics, closeDelayMs = 0, member, tls, dispatcher, dependOn } = options;
  const { teamConfig = {}, directory = process.cwd() } = options;
  const { forms, executor, build } = await openSchemaOf(teamConfig, settings, {
    directory,
    sandboxForms: async () => dms.sandbox?.forms ?? null,
    dependOn,
    warn: (message, fields) => log.write('warn', message, fields),
  });
  const { HttpClient, createGateway, listen, createMetrics } = await loadGateway();
  const metrics = createMetrics({
    process: processMetrics,
    ...(member && { worker: { number: member.worker, others: member.others.metrics } }),
  });
  /** Another process has written. Until it is set, nothing is cached. */
  let written = (_data: WriteNotification): void => {};
  const features = await openFeatures([...allFeatures, featureOf(teamConfig)], settings, {
    log,
    metrics,
    dmsUrl: dms.url,
    sandbox: dms.sandbox,
    tls,
    replica: member?.replica ?? randomUUID(),
    onWritten: (data) => written(data),
    dependOn,
  });
  const { cache, verifyToken, counters = member?.others.counters } = features.provides;
  const rateLimiter = await rateLimiterFor(settings, metrics, counters);
  const http = new HttpClient(
    {
      ...settings,
      baseUrl: dms.url,
      tls: tls.dms,
      proxy: settings.dmsProxy,
      timeoutMs: settings.dmsTimeoutMs,
      transferIdleMs: settings.requestTimeoutMs,
      // With a service account alone, all requests have the same caller.
      fairShare: settings.identity.mode !== 'service' || verifyToken !== undefined,
      ...(rateLimiter && { rateLimiter }),
      ...(cache && { sharedCache: cache }),
      onCall: features.has('onCall')
        ? async (call) =>
            Object.assign({}, ...(await features.run('onCall', call))) as Record<string, string>
        : undefined,
    },
    metrics.observer,
    dispatcher,
  );
  const gateway = createGateway(
    {
      ...settings,
      credential: settings.credential ?? sandboxCredential(dms),
    },
    {
      http,
      log,
      metrics,
      features,
      forms,
      executor,
      schema: build,
      keyFetch: { jwksTls: tls.issuer },
    },
  );
  http.writes.on(async (write) => {
    if (write.isRemote) return;
    // In this order: another process then reads the shared cache.
    await features.run('onWrite', write);
    await member?.others.invalidate(write);
  });
  written = (write) => void http.writes.emit({ ...write, isRemote: true });
  const closeConnections = async (withinMs: number): Promise<void> => {
    await http.close(withinMs);
    await features.run('onStop');
  };
  let listening: ListeningServer;
  try {
    // A feature, or an invalid plugin or schema, prevents the start.
    if (features.has('onReady') || Object.keys(teamConfig).length > 0) await gateway.load();
    if (hasHttpHooks(features.teamPlugins)) {
      log.write('info', 'direct execution is off: a plugin has HTTP hooks');
    }
    listening = await listen(gateway, {
      ...settings,
      reusePort: member !== undefined,
      onDrop: () => log.write('warn', 'too many connections', { maxConnections }),
    });
  } catch (error) {
    await closeConnections(0);
    throw error;
  }
  // Started after the port listens. An error is ignored here: the first request loads again and reports it.
  gateway.load().catch(() => {});
  return {
    url: listening.url,
    links: features.links,
    metrics: metrics.snapshot,
    invalidate: (data) => written(data),
    replaceSecrets(changed) {
      gateway.replaceSecrets(changed);
      for (const [service, files] of Object.entries(tls)) {
        files?.reload(service === 'dms' ? changed.dmsClientKeyPassphrase : null);
      }
    },
    async stop() {
      const endAt = performance.now() + settings.shutdownTimeoutMs;
      const clean = await listening.close(settings.shutdownTimeoutMs, closeDelayMs);
      await closeConnections(Math.max(1000, endAt - performance.now()));
      return clean;
    },
  };
}

/** The certificates of the connections to each service. Undefined: those of Node. */
export type ServiceTls = Partial<ByTlsService<TlsFiles | undefined>>;

/**
 * Reads the certificates of the settings.
 *
 * @throws {Error} naming a file that cannot be used
 */
export async function openTlsFiles(
  settings: Settings['tlsSettings'],
  log: Pick<Log, 'write'>,
): Promise<ServiceTls> {
  if (Object.values(settings).every((one) => one === null)) return {};
  const { TlsFiles } = await import('./tls-files.ts');
  const opened = Object.entries(settings).map(([service, one]) => [
    service,
    one === null ? undefined : new TlsFiles(one, log),
  ]);
  return Object.fromEntries(opened);
}

/** The certificates of all services. */
export function certificatesOf(tls: ServiceTls): readonly DescribedCertificate[] {
  return Object.values(tls).flatMap((files) => files?.certificates ?? []);
}

/** Certificates that are probably rejected, one line each. */
export function certificateWarnings(tls: ServiceTls): readonly string[] {
  return Object.values(tls).flatMap((files) => files?.warnings ?? []);
}

/** Null without RATE_LIMIT. */
async function rateLimiterFor(
  { rateLimit }: Settings,
  { observer }: Metrics,
  shared: SharedCounters | undefined,
): Promise<RateLimiter | null> {
  if (rateLimit === null) return null;
  const { RateLimiter } = await import('../rest/index.ts');
  return new RateLimiter({ callsPerMinute: rateLimit, observer, shared });
}

/** The service account of the embedded sandbox. Null with any other DMS. */
function sandboxCredential({ sandbox }: DmsAddress): Credential | null {
  return sandbox && { kind: 'fixed', authorization: sandbox.authorization };
}
