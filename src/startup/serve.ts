import { randomUUID } from 'node:crypto';
import type { Dispatcher } from 'undici';
import type { Config } from '../config/read-config.ts';
import type { ByTlsService } from '../config/tls-settings.ts';
import { featureOf, type GatewayConfig } from '../gateway-config.ts';
import { features as allFeatures } from '../features/index.ts';
import type { Credential } from '../model/identity.ts';
import type {
  DescribedCertificate,
  RateLimiter,
  SharedCounters,
  WriteNotification,
} from '../rest/index.ts';
import type { SchemaForms } from '../schema/extend.ts';
import { declareForms, openFeatures, type OpenFeatures } from '../server/open-features.ts';
import type { OtherProcesses, ProcessConfig, ProcessServer } from '../server/processes.ts';
import { hasHttpHooks } from '../server/graphql/http-hooks.ts';
import type { ListeningServer } from '../server/http/listen.ts';
import { maxConnections } from '../server/http/request-limits.ts';
import type { Log } from '../server/telemetry/log.ts';
import type { Metrics } from '../server/telemetry/metrics.ts';
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

/** This process as one of several that share a port. */
interface Membership extends Pick<ProcessConfig, 'worker' | 'replica'> {
  readonly others: OtherProcesses;
}

/** What depends on the process that serves. */
export interface ServeOptions {
  /**
   * Whether /metrics includes memory, CPU and event loop of this process. At most one gateway of a process can do that.
   */
  readonly processMetrics: boolean;
  /** How long a stopping gateway still accepts connections, to reject their requests, in milliseconds. Default 0. */
  readonly closeDelayMs?: number;
  /** Set for one of several processes. */
  readonly membership?: Membership;
  readonly tls: ServiceTls;
  /** Replaces the network for the requests to the DMS. */
  readonly dispatcher?: Dispatcher | undefined;
  /** @see FeatureHost.dependOn */
  readonly dependOn: (path: string) => void;
  /** What a team adds. */
  readonly teamConfig?: GatewayConfig | undefined;
}

/**
 * Connects the gateway to its DMS and listens. If it throws, nothing remains open.
 *
 * @throws what a feature throws
 * @throws if the port is not available
 */
export async function serve(
  config: Config,
  dms: DmsAddress,
  log: Log,
  options: ServeOptions,
): Promise<ProcessServer> {
  const { processMetrics, closeDelayMs = 0, membership, tls, dispatcher, dependOn } = options;
  const { teamConfig = {} } = options;
  const forms = await formsFor(config, dms, teamConfig);
  if (forms?.typed.length === 0) {
    // With a wrong account, the DMS lists none.
    log.write('warn', 'no form has fields, so none is typed', { file: teamConfig.forms?.file });
  }
  const { HttpClient, createGateway, listen, createMetrics } = await loadGateway();
  const metrics = createMetrics({
    process: processMetrics,
    ...(membership && {
      worker: { number: membership.worker, others: membership.others.metrics },
    }),
  });
  /** Another process has written. Until it is set, nothing is cached. */
  let written = (_data: WriteNotification): void => {};
  const features = await openFeatures([...allFeatures, featureOf(teamConfig)], config, {
    log,
    metrics,
    dmsUrl: dms.url,
    sandbox: dms.sandbox,
    tls,
    replica: membership?.replica ?? randomUUID(),
    onWritten: (data) => written(data),
    dependOn,
  });
  const others = membership?.others;
  const counters = features.callCounters ?? others?.counters;
  const rateLimiter = await rateLimiterFor(config, metrics, counters);
  const http = new HttpClient(
    {
      ...config,
      baseUrl: dms.url,
      tls: tls.dms,
      proxy: config.dmsProxy,
      timeoutMs: config.dmsTimeoutMs,
      transferIdleMs: config.requestTimeoutMs,
      // With a service account alone, all requests have the same caller.
      fairShare: config.identity.mode !== 'service' || features.userTokens !== null,
      ...(rateLimiter && { rateLimiter }),
      ...(features.sharedCache && { sharedCache: features.sharedCache }),
    },
    metrics.observer,
    dispatcher,
  );
  const gateway = createGateway(
    {
      ...config,
      identity: { ...config.identity, jwksTls: tls.issuer },
      credential: config.credential ?? sandboxCredential(dms),
    },
    {
      http,
      log,
      metrics,
      features,
      forms,
    },
  );
  const tellOthers = writeListener(features, others);
  http.writes.on((write) => (write.isRemote ? undefined : tellOthers?.(write)));
  written = (write) => void http.writes.emit({ ...write, isRemote: true });
  const closeConnections = async (withinMs: number): Promise<void> => {
    await http.close(withinMs);
    await features.stop();
  };
  let listening: ListeningServer;
  try {
    // A feature, or an invalid plugin or schema, prevents the start.
    if (features.needsServer || Object.keys(teamConfig).length > 0) await gateway.load();
    if (hasHttpHooks(features.guardedPlugins)) {
      log.write('info', 'direct execution is off: a plugin has HTTP hooks');
    }
    listening = await listen(gateway, {
      ...config,
      reusePort: membership !== undefined,
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
    invalidate: (data) => written(data),
    metrics: metrics.snapshot,
    replaceSecrets(changed) {
      gateway.replaceSecrets(changed);
      for (const [service, files] of Object.entries(tls)) {
        files?.reload(service === 'dms' ? changed.dmsClientKeyPassphrase : null);
      }
    },
    async stop() {
      const endAt = performance.now() + config.shutdownTimeoutMs;
      const clean = await listening.close(config.shutdownTimeoutMs, closeDelayMs);
      await closeConnections(Math.max(1000, endAt - performance.now()));
      return clean;
    },
  };
}

/** Reads the forms of the configuration, otherwise those of the embedded sandbox. Null if there are none. */
export async function formsFor(
  config: Config,
  { sandbox }: Pick<DmsAddress, 'sandbox'>,
  { forms }: GatewayConfig,
): Promise<SchemaForms | null> {
  return declareForms(allFeatures, config, { forms, sandboxForms: sandbox?.forms ?? null });
}

/** The certificates of the connections to each service. Undefined: those of Node. */
export type ServiceTls = Partial<ByTlsService<TlsFiles | undefined>>;

/**
 * Reads the certificates of the settings.
 *
 * @throws {Error} naming a file that cannot be used
 */
export async function openTlsFiles(
  settings: Config['tlsSettings'],
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
  { rateLimit }: Config,
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

/** Tells features and other processes of a write. Undefined if nobody wants to know. */
function writeListener(
  { onWrite }: OpenFeatures,
  others: OtherProcesses | undefined,
): ((written: WriteNotification) => Promise<unknown>) | undefined {
  if (others === undefined) return onWrite ?? undefined;
  return async (written) => {
    // In this order: another process then reads the shared cache.
    await onWrite?.(written);
    await others.invalidate(written);
  };
}
