import type { ChangedSecrets } from '../model/identity.ts';
import type { SharedCounters, WriteNotification } from '../rest/index.ts';
import type { Log } from './telemetry/log.ts';
import type { MetricsSnapshot } from './telemetry/metrics.ts';

/** A gateway in this process. */
export interface ProcessServer {
  readonly url: string;
  /** Stops using what this process has cached of the data that another process changed. */
  invalidate(written: WriteNotification): void;
  /** The metrics of this process alone. */
  metrics(): Promise<MetricsSnapshot>;
  /** Uses other secrets from now on. */
  replaceSecrets(changed: ChangedSecrets): void;
  /** Resolves with true if no running request was aborted, when everything is written. */
  stop(): Promise<boolean>;
}

/** The other processes of a replica, as one of them reaches them. */
export interface OtherProcesses {
  /** Resolves when all of them have invalidated the data, after a second at the latest. */
  invalidate(written: WriteNotification): Promise<void>;
  /** The metrics of those that answer within a second. */
  metrics(): Promise<readonly MetricsSnapshot[]>;
  /** Counters of all processes. */
  readonly counters: SharedCounters;
}

/** What a process of several needs besides the settings. Others could see secrets in its environment. */
export interface ProcessConfig {
  /** Counted from 1. A replacement has the number of the process that ended. */
  readonly worker: number;
  readonly port: number;
  /**
   * Address, credential and forms of the embedded sandbox, which runs in the first process, and the secret of the tokens
   * for its people. Null with any other DMS.
   */
  readonly sandbox: {
    readonly url: string;
    readonly authorization: string;
    readonly tokenSecret: string;
    readonly forms: readonly unknown[];
  } | null;
  readonly fileUrlSecret: string;
  /** Random, the same for all of them. */
  readonly replica: string;
}

/** What the first process knows. */
export interface ProcessesOptions extends Pick<ProcessConfig, 'sandbox' | 'fileUrlSecret'> {
  /** The script that the processes run, with the argument `--worker`. */
  readonly entry: string;
  /** Its further arguments. */
  readonly arguments: readonly string[];
  readonly log: Log['write'];
}

/** Several processes that serve in place of this one. */
export interface RunningProcesses {
  /**
   * Resolves when each listens or has failed to start. Rejects if none could start. `url` is the base URL, `pids` are
   * the process IDs.
   */
  readonly ready: Promise<{ readonly url: string; readonly pids: readonly (number | undefined)[] }>;
  replaceSecrets(changed: ChangedSecrets): Promise<void>;
  /** Waits for running requests. Resolves with true if none was aborted. Can be called before `ready`. */
  stop(): Promise<boolean>;
  /** Ends all of them immediately. */
  kill(): void;
}

/** Serves a port with several processes, which share the memory of the machine. */
export interface Processes {
  readonly count: number;
  /** Starts and supervises them. @throws if the port is not available */
  start(options: ProcessesOptions): Promise<RunningProcesses>;
  /** Runs this process as one of them. It calls `serve` when the first one says so. */
  run(
    serve: (config: ProcessConfig, others: OtherProcesses) => Promise<ProcessServer>,
  ): Promise<void>;
}
