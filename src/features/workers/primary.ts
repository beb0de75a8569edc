import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ChangedSecrets } from '../../model/identity.ts';
import type { SharedCounters, WriteNotification } from '../../rest/index.ts';
import type { ProcessesOptions, RunningProcesses } from '../../server/processes.ts';
import { reservePort, type Address, type PortReservation } from './port-reservation.ts';
import { Channel, type PrimaryFunctions, type WorkerFunctions } from './worker.ts';

/** Settings of the worker processes. */
export interface WorkersOptions extends Address, ProcessesOptions {
  readonly count: number;
  /** Counters of RATE_LIMIT for all workers. Null: they do not count together here. */
  readonly counters: SharedCounters | null;
  /** How long a stopping worker waits for running requests, in milliseconds. */
  readonly shutdownTimeoutMs: number;
  /** How long a worker can be unresponsive before it is killed and replaced, in milliseconds. Default 30 s. */
  readonly hangLimitMs?: number;
}

interface Worker {
  readonly child: ChildProcess;
  readonly channel: Channel<WorkerFunctions>;
  isListening: boolean;
  unansweredPings: number;
}

const answerLimitMs = 1000;
/** Pings are counted instead of time, because time also passes while the machine is suspended. */
const maxUnansweredPings = 6;
const killAfterMs = 3000; // added to the shutdown timeout, which a worker exceeds by a second to finish writes

/**
 * Starts the workers, and replaces each one that ends. They share a port, and the kernel distributes connections among
 * them. No connection passes through this process, so the connections of a worker that ends are closed at once.
 *
 * @throws if the port is not available
 */
export async function startWorkers(options: WorkersOptions): Promise<RunningProcesses> {
  return new Workers(options, await reservePort(options));
}

/** The running worker processes. */
class Workers implements RunningProcesses {
  readonly ready: RunningProcesses['ready'];
  readonly #options: WorkersOptions;
  readonly #reservation: PortReservation;
  /** Running workers by number. */
  readonly #workers = new Map<number, Worker>();
  readonly #replica = randomUUID();
  /** The secrets of workers that will be started. Links of the previous one remain valid. */
  readonly #fileUrlSecrets: { current: string; previous: string | null };
  readonly #hangLimitMs: number;
  readonly #checks: NodeJS.Timeout;
  #url = '';
  #isStarting = true;
  #isStopping = false;

  constructor(options: WorkersOptions, reservation: PortReservation) {
    this.#options = options;
    this.#reservation = reservation;
    this.#fileUrlSecrets = { current: options.fileUrlSecret, previous: null };
    this.#hangLimitMs = options.hangLimitMs ?? 30_000;
    this.#checks = setInterval(() => {
      for (const [number, worker] of this.#workers) void this.#check(number, worker);
    }, this.#hangLimitMs / maxUnansweredPings).unref();
    this.ready = this.#startAll();
  }

  async stop(): Promise<boolean> {
    this.#stopReplacing();
    const stopped = [...this.#workers.values()].map((worker) => this.#stop(worker));
    return (await Promise.all(stopped)).every(Boolean);
  }

  /** Replaces the secrets of all workers, and of those that will be started. */
  async replaceSecrets(changed: ChangedSecrets): Promise<void> {
    if (changed.fileUrlSecret !== null) {
      this.#fileUrlSecrets.previous = this.#fileUrlSecrets.current;
      this.#fileUrlSecrets.current = changed.fileUrlSecret;
    }
    const workers = [...this.#workers.values()];
    await Promise.all(
      workers.map(({ channel }) => channel.call('replaceSecrets', changed, answerLimitMs)),
    );
  }

  kill(): void {
    this.#stopReplacing();
    for (const { child } of this.#workers.values()) child.kill('SIGKILL');
  }

  async #startAll(): Workers['ready'] {
    const numbers = Array.from({ length: this.#options.count }, (_, at) => at + 1);
    const starts = numbers.map(
      (number) => new Promise<string | null>((resolve) => this.#start(number, 0, resolve)),
    );
    const reasons = await Promise.all(starts);
    this.#isStarting = false;
    if (!reasons.includes(null)) {
      this.kill();
      throw new Error(reasons[0] ?? '');
    }
    this.#reservation.release();
    return { url: this.#url, pids: numbers.map((number) => this.#workers.get(number)?.child.pid) };
  }

  /** @param onStart receives null when the worker listens, or why it ended before */
  #start(number: number, lastDelayMs: number, onStart: (reason: string | null) => void): void {
    if (this.#isStopping) return;
    const startedAt = performance.now();
    const child = forkWorker(this.#options);
    let reason: string | null = null;
    const onEnd = (code: number | null, signal: NodeJS.Signals | null): void => {
      this.#workers.delete(number);
      if (this.#isStopping) return;
      const againInMs = restartDelayMs(lastDelayMs, performance.now() - startedAt);
      const fields = { worker: number, pid: child?.pid, code, signal, againInMs };
      this.#options.log('error', 'worker ended', fields);
      setTimeout(() => this.#start(number, againInMs, onStart), againInMs);
      // A signal may be for the process group and reach this process next, so it is not a failure.
      if (signal === null) onStart(reason ?? `worker ${number} ended with code ${code}`);
    };
    if (child === null) {
      setImmediate(onEnd, null, null);
      return;
    }
    child.once('exit', onEnd);
    const channel = new Channel<WorkerFunctions>(child, {
      invalidateOthers: (written: WriteNotification) =>
        this.#callOthers(number, 'invalidate', written),
      metricsOfOthers: () => this.#callOthers(number, 'metrics', null),
      countCalls: async ({ caller, calls }: Parameters<PrimaryFunctions['countCalls']>[0]) =>
        this.#options.counters?.add(caller, calls) ?? null,
    } satisfies PrimaryFunctions);
    const worker: Worker = { child, channel, isListening: false, unansweredPings: 0 };
    this.#workers.set(number, worker);
    const begin = async (): Promise<void> => {
      const begun = await this.#begin(number, worker);
      if (begun === 'listening') onStart(null);
      else ({ reason } = begun);
    };
    void begin();
  }

  /** Makes a worker listen. A worker that cannot listen exits; the reason is null if it has exited already. */
  async #begin(
    number: number,
    worker: Worker,
  ): Promise<'listening' | { readonly reason: string | null }> {
    const { log, sandbox } = this.#options;
    const secrets = this.#fileUrlSecrets;
    const fileUrlSecret = secrets.previous ?? secrets.current;
    const { child, channel } = worker;
    const { port } = this.#reservation;
    const config = { worker: number, port, sandbox, fileUrlSecret, replica: this.#replica };
    const begun = await channel.call('begin', config);
    if (begun === undefined) return { reason: null };
    if ('reason' in begun) {
      log('error', 'worker failed to start', { worker: number, cause: begun.reason });
      child.disconnect();
      return begun;
    }
    if (secrets.current !== fileUrlSecret) {
      // The worker has just read the others.
      const others = { jwtSecret: null, dmsClientKeyPassphrase: null };
      const changed = { ...others, fileUrlSecret: secrets.current };
      await channel.call('replaceSecrets', changed, answerLimitMs);
    }
    this.#url = begun.url;
    worker.isListening = true;
    if (!this.#isStarting) log('info', 'worker started', { worker: number, pid: child.pid });
    return 'listening';
  }

  /** Calls a function of all other workers. A worker that is starting is called, but nobody waits for it. */
  async #callOthers<Name extends 'invalidate' | 'metrics'>(
    caller: number,
    name: Name,
    argument: Parameters<WorkerFunctions[Name]>[0],
  ) {
    const results = [];
    for (const [number, { channel, isListening }] of this.#workers) {
      if (number === caller) continue;
      const result = channel.call(name, argument, answerLimitMs);
      if (isListening) results.push(result);
    }
    return Promise.all(results);
  }

  /** Kills an unresponsive worker. The kernel would keep assigning new connections to it. */
  async #check(number: number, worker: Worker): Promise<void> {
    const { child, channel, isListening } = worker;
    if (!isListening) return;
    if (worker.unansweredPings === maxUnansweredPings) {
      this.#options.log('error', 'worker not responding', { worker: number, pid: child.pid });
      child.kill('SIGKILL');
      return;
    }
    worker.unansweredPings += 1;
    if (await channel.call('ping', null, this.#hangLimitMs)) worker.unansweredPings = 0;
  }

  #stopReplacing(): void {
    this.#isStopping = true;
    clearInterval(this.#checks);
    this.#reservation.release();
    this.#reservation.unlock();
  }

  async #stop({ child, channel, isListening }: Worker): Promise<boolean> {
    const limitMs = this.#options.shutdownTimeoutMs + killAfterMs;
    const late = setTimeout(() => child.kill('SIGKILL'), limitMs);
    const ended = once(child, 'exit');
    const isClean = await channel.call('stop', null);
    if (child.connected) child.disconnect();
    await ended;
    clearTimeout(late);
    return isClean ?? !isListening;
  }
}

/** Starts a process. Null if the system cannot create one, for example for lack of memory or open files. */
function forkWorker({ entry, arguments: others }: WorkersOptions): ChildProcess | null {
  try {
    const child = fork(entry, ['--worker', ...others], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.on('error', () => {}); // `exit` reports processes that have ended
    return child.pid === undefined ? null : child;
  } catch {
    return null;
  }
}

/**
 * Delay before a worker that ended is replaced, in milliseconds: 100 ms after a stable run (10 s or more), otherwise
 * doubled with each restart up to 30 s, so that a worker that cannot run does not keep the machine busy.
 *
 * @param lastMs the previous delay; 0 for the first worker of a number
 * @param livedMs how long the worker ran
 */
export function restartDelayMs(lastMs: number, livedMs: number): number {
  return livedMs >= 10_000 ? 100 : Math.min(30_000, Math.max(100, lastMs * 2));
}
