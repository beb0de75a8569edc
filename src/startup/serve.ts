import { randomUUID } from 'node:crypto';
import type { Dispatcher } from 'undici';
import type { Settings } from '../config/read-config.ts';
import type { ByTlsService } from '../config/tls-settings.ts';
import { featureOf, openSchemaOf, type TeamConfig } from '../gateway-config.ts';
import { features as allFeatures } from '../features/index.ts';
import type { DescribedCertificate, SharedCounters, WriteNotification } from '../rest/index.ts';
import type { ChangedSecrets } from '../model/identity.ts';
import { openFeatures } from '../server/feature.ts';
import type { ListeningServer } from '../server/http/listen.ts';
import type { Log } from '../server/telemetry/log.ts';
import type { MetricsSnapshot } from '../server/telemetry/metrics.ts';
import type { DmsAddress } from './managed-dms.ts';
import type { TlsFiles } from './tls-files.ts';

/** Imports the modules that serve requests. The first of several processes does not need them. */
export async function loadGateway() {
  const [{ HttpClient, RateLimiter }, { createGateway }, { listen }, { createMetrics }] =
    await Promise.all([
      import('../rest/index.ts'),
      import('../server/gateway.ts'),
      import('../server/http/listen.ts'),
      import('../server/telemetry/metrics.ts'),
    ]);
  return { HttpClient, RateLimiter, createGateway, listen, createMetrics };
}

export interface OtherWorkers {
  invalidate(written: WriteNotification): Promise<void>;
  metrics(): Promise<readonly MetricsSnapshot[]>;
  readonly counters: SharedCounters;
}

export interface ServeOptions {
  readonly processMetrics: boolean;
  readonly closeDelayMs?: number;
  readonly member?: {
    readonly worker: number;
    readonly replica: string;
    readonly others: OtherWorkers;
  };
  readonly tls: ServiceTls;
  readonly dispatcher?: Dispatcher | undefined;
  readonly dependOn: (path: string) => void;
  readonly teamConfig?: TeamConfig | undefined;
  readonly directory?: string | undefined;
}

export interface ServedGateway {
  readonly url: string;
  readonly links: Readonly<Record<string, string>>;
  metrics(): Promise<MetricsSnapshot>;
  invalidate(written: WriteNotification): void;
  replaceSecrets(changed: ChangedSecrets): void;
  stop(): Promise<boolean>;
}

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
  const { HttpClient, RateLimiter, createGateway, listen, createMetrics } = await loadGateway();
  const metrics = createMetrics({
    process: processMetrics,
    ...(member && { worker: { number: member.worker, others: member.others.metrics } }),
  });
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
  const { rateLimit: callsPerMinute } = settings;
  const { observer } = metrics;
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
      ...(callsPerMinute !== null && {
        rateLimiter: new RateLimiter({ callsPerMinute, observer, shared: counters }),
      }),
      ...(cache && { sharedCache: cache }),
      onCall: features.has('onCall')
        ? async (call) =>
            Object.assign({}, ...(await features.run('onCall', call))) as Record<string, string>
        : undefined,
    },
    observer,
    dispatcher,
  );
  const gateway = createGateway(
    {
      ...settings,
      credential:
        settings.credential ??
        (dms.sandbox && { kind: 'fixed', authorization: dms.sandbox.authorization }),
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
    if (gateway.hasHttpHooks) {
      log.write('info', 'direct execution is off: a plugin has HTTP hooks');
    }
    listening = await listen(gateway, {
      ...settings,
      reusePort: member !== undefined,
      onDrop: (maxConnections) => log.write('warn', 'too many connections', { maxConnections }),
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

export type ServiceTls = Partial<ByTlsService<TlsFiles | undefined>>;

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

export function certificatesOf(tls: ServiceTls): readonly DescribedCertificate[] {
  return Object.values(tls).flatMap((files) => files?.certificates ?? []);
}

export function certificateWarnings(tls: ServiceTls): readonly string[] {
  return Object.values(tls).flatMap((files) => files?.warnings ?? []);
}
