import type { WrittenData } from '../rest/client/written-data.ts';
import type { CallCount, SharedCounters } from '../rest/client/resilience/rate-limiter.ts';
import type { MetricsSnapshot } from '../server/telemetry/metrics.ts';
import { Channel } from './channel.ts';

/** The configuration of a worker beyond the environment, in which secrets could be seen. */
export interface WorkerConfig {
  /** Counted from 1. A replacement has the number of the worker that ended. */
  readonly worker: number;
  readonly port: number;
  /**
   * Address and credential of the embedded sandbox, which runs in the primary, and the secret of the tokens for its
   * people. Null with any other DMS.
   */
  readonly sandbox: {
    readonly url: string;
    readonly authorization: string;
    readonly tokenSecret: string;
  } | null;
  readonly fileUrlSecret: string;
  /** Random, the same for all workers. */
  readonly replica: string;
}

/** A worker that listens. */
export interface WorkerServer {
  readonly url: string;
  /** Stops using what this worker has cached of the data that another worker changed. */
  invalidate(written: WrittenData): void;
  /** The metrics of this worker alone. */
  metrics(): Promise<MetricsSnapshot>;
  /** Resolves with true if no running request was aborted, when everything is written. */
  stop(): Promise<boolean>;
}

/** The other workers of the same port, as a worker reaches them through the primary. */
export interface OtherWorkers {
  /** Resolves when all of them have invalidated the data, after a second at the latest. */
  invalidate(written: WrittenData): Promise<void>;
  /** The metrics of those that answer within a second. */
  metrics(): Promise<readonly MetricsSnapshot[]>;
  /** The counters of all workers, which the primary keeps. */
  readonly counters: SharedCounters;
}

/** The functions that the primary calls on a worker. */
export type WorkerFunctions = {
  begin(config: WorkerConfig): Promise<{ readonly url: string } | { readonly reason: string }>;
  ping(none: null): true;
  invalidate(written: WrittenData): Promise<void>;
  metrics(none: null): Promise<MetricsSnapshot | undefined>;
  stop(none: null): Promise<boolean>;
};

/** The functions that a worker calls on the primary. */
export type PrimaryFunctions = {
  invalidateOthers(written: WrittenData): Promise<unknown>;
  metricsOfOthers(none: null): Promise<readonly (MetricsSnapshot | undefined)[]>;
  countCalls(of: { readonly caller: string; readonly calls: number }): Promise<CallCount | null>;
};

const limitMs = 1250; // longer than the primary waits for the other workers

/** Runs this process as a worker: it starts, stops and exits when the primary says so, or has ended. */
export function runWorker(
  start: (config: WorkerConfig, others: OtherWorkers) => Promise<WorkerServer>,
): void {
  let server: Promise<WorkerServer> | undefined;
  let stopped: Promise<boolean> | undefined;
  const functions: WorkerFunctions = {
    async begin(config) {
      server = start(config, others);
      return server.then(
        ({ url }) => ({ url }),
        (error) => ({ reason: error instanceof Error ? error.message : String(error) }),
      );
    },
    ping: () => true,
    invalidate: async (written) => (await server)?.invalidate(written),
    metrics: async () => (await server)?.metrics(),
    stop: () => (stopped ??= server?.then((running) => running.stop()) ?? Promise.resolve(true)),
  };
  const primary = new Channel<PrimaryFunctions>(process, functions);
  const others: OtherWorkers = {
    async invalidate(written) {
      await primary.call('invalidateOthers', written, limitMs);
    },
    async metrics() {
      const answers = (await primary.call('metricsOfOthers', null, limitMs)) ?? [];
      return answers.filter((answer) => answer != null); // over IPC, undefined becomes null
    },
    counters: {
      add: async (caller, calls) =>
        (await primary.call('countCalls', { caller, calls }, limitMs)) ?? null,
    },
  };
  process.once('disconnect', () => {
    functions.stop(null).then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
}
