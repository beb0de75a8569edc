import cluster from 'node:cluster';
import { messageOf, nodeCodeOf } from '../../model/common.ts';
import type { ChangedSecrets } from '../../model/identity.ts';
import type { CallCount, WriteNotification } from '../../rest/index.ts';
import type { MetricsSnapshot } from '../../server/telemetry/metrics.ts';
import type { DmsAddress } from '../managed-dms.ts';
import type { OtherWorkers, ServedGateway } from '../serve.ts';
import { Channel } from './channel.ts';

export interface WorkerConfig extends Pick<DmsAddress, 'url' | 'sandbox'> {
  readonly worker: number;
  readonly replica: string;
  readonly port: number;
  readonly fileUrlSecret: string;
}

type WorkerStart =
  | Pick<ServedGateway, 'url' | 'links'>
  | { readonly reason: string; readonly code: unknown };

export type WorkerFunctions = {
  begin(config: WorkerConfig): Promise<WorkerStart>;
  ping(none: null): true;
  metrics(none: null): Promise<MetricsSnapshot | undefined>;
  invalidate(written: WriteNotification): Promise<void>;
  replaceSecrets(changed: ChangedSecrets): Promise<void>;
  stop(none: null): Promise<boolean>;
};

export type PrimaryFunctions = {
  invalidateOthers(written: WriteNotification): Promise<unknown>;
  metricsOfOthers(none: null): Promise<readonly MetricsSnapshot[]>;
  countCalls(of: { readonly caller: string; readonly calls: number }): Promise<CallCount | null>;
};

const limitMs = 1250; // longer than the primary waits for the other workers

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
