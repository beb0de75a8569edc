import cluster from 'node:cluster';
import { messageOf, nodeCodeOf } from '../../model/common.ts';
import type { ChangedSecrets } from '../../model/identity.ts';
import type { CallCount, WriteNotification } from '../../rest/index.ts';
import type { MetricsSnapshot } from '../../server/telemetry/metrics.ts';
import type { DmsAddress } from '../managed-dms.ts';
import type { OtherWorkers, ServedGateway } from '../serve.ts';
import { Channel } from './channel.ts';

/** What a worker needs besides the settings. Others could see secrets in its environment. */
export interface WorkerConfig extends Pick<DmsAddress, 'url' | 'sandbox'> {
  /** Counted from 1. A replacement has the number of the worker that ended. */
  readonly worker: number;
  /** Identifies the workers of one primary. */
  readonly replica: string;
  readonly port: number;
  readonly fileUrlSecret: string;
}

/** How a worker has started. */
type WorkerStart =
  | Pick<ServedGateway, 'url' | 'links'>
  | { readonly reason: string; readonly code: unknown };

/** The functions that the primary calls on a worker. */
export type WorkerFunctions = {
  begin(config: WorkerConfig): Promise<WorkerStart>;
  ping(none: null): true;
  metrics(none: null): Promise<MetricsSnapshot | undefined>;
  invalidate(written: WriteNotification): Promise<void>;
  replaceSecrets(changed: ChangedSecrets): Promise<void>;
  stop(none: null): Promise<boolean>;
};

/** The functions that a worker calls on the primary. */
export type PrimaryFunctions = {
  invalidateOthers(written: WriteNotification): Promise<unknown>;
  metricsOfOthers(none: null): Promise<readonly MetricsSnapshot[]>;
  countCalls(of: { readonly caller: string; readonly calls: number }): Promise<CallCount | null>;
};

const limitMs = 1250; // longer than the primary waits for the other workers

/**
 * Runs this process as a worker: it starts, stops and exits when the primary says so, or has ended.
 *
 * @param serve called once, when the primary says so
 */
export function runWorker(
  serve: (config: WorkerConfig, others: OtherWorkers) => Promise<ServedGateway>,
): void {
  let server: Promise<ServedGateway> | undefined;
  let stopped: Promise<boolean> | undefined;
  const functions: WorkerFunctions = {
    async begin(config) {
      server = serve(config, others);
      return server.then(
        ({ url, links }) => ({ url, links }),
        (error) => ({ reason: messageOf(error), code: nodeCodeOf(error) }),
      );
    },
    ping: () => true,
    metrics: async () => (await server)?.metrics(),
    invalidate: async (written) => (await server)?.invalidate(written),
    replaceSecrets: async (changed) => (await server)?.replaceSecrets(changed),
    stop: () => (stopped ??= server?.then((running) => running.stop()) ?? Promise.resolve(true)),
  };
  const primary = new Channel<PrimaryFunctions>(process, functions);
  const others: OtherWorkers = {
    async invalidate(written) {
      await primary.call('invalidateOthers', written, limitMs);
    },
    metrics: async () => (await primary.call('metricsOfOthers', null, limitMs)) ?? [],
    counters: {
      add: async (caller, calls) =>
        (await primary.call('countCalls', { caller, calls }, limitMs)) ?? null,
    },
  };
  // `node:cluster` exits at once after this event if the primary has ended, unless told otherwise.
  cluster.worker?.once('disconnect', () => {
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  });
  process.once('disconnect', () => {
    functions.stop(null).then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
}
