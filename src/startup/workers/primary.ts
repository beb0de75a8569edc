import cluster, { type Worker as ClusterWorker } from 'node:cluster';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type { Settings } from '../../config/read-config.ts';
import type { ChangedSecrets } from '../../model/identity.ts';
import type { SharedCounters, WriteNotification } from '../../rest/index.ts';
import type { Log } from '../../server/telemetry/log.ts';
import { Channel } from './channel.ts';
import type { PrimaryFunctions, WorkerConfig, WorkerFunctions } from './worker.ts';

export interface WorkersOptions
  extends
    Omit<WorkerConfig, 'worker'>,
    Pick<Settings, 'host' | 'workers' | 'rateLimit' | 'shutdownTimeoutMs'> {
  readonly log: Log['write'];
  readonly hangLimitMs?: number;
}

interface Worker {
  readonly child: ClusterWorker;
  readonly channel: Channel<WorkerFunctions>;
  isListening: boolean;
  unansweredPings: number;
}

const answerLimitMs = 1000;
/** Pings are counted instead of time, because time also passes while the machine is suspended. */
const maxUnansweredPings = 6;
const killAfterMs = 3000; // added to the shutdown timeout, which a worker exceeds by a second to finish writes

/**
 * Each worker listens itself (`reusePort`), and the kernel distributes the connections: those of a worker that ends
 * are closed at once. If this process handed them to workers, one that a hanging worker has not taken would stay open
 * after its end, and with a shared socket an idle gateway gives all connections to one worker.
 */
export async function startWorkers(options: WorkersOptions) {
  const port = await availablePort(options);
  const counters = options.rateLimit === null ? null : await createCounters();
  const workers = new Workers({ ...options, port }, counters);
  const ready = workers.startAll();
  ready.catch(() => {}); // a signal may come first
  return {
    ready,
    replaceSecrets: (changed: ChangedSecrets) => workers.replaceSecrets(changed),
    stop: () => workers.stop(),
    kill: () => workers.kill(),
  };
}

async function createCounters(): Promise<SharedCounters> {
  const { CallCounters } = await import('../../rest/index.ts');
  return new CallCounters();
}

class Workers {
  readonly #options: WorkersOptions;
  readonly #counters: SharedCounters | null;
  readonly #workers = new Map<number, Worker>();
  readonly #fileUrlSecrets: { current: string; previous: string | null };
  readonly #hangLimitMs: number;
  readonly #checks: NodeJS.Timeout;
  #started: Awaited<ReturnType<WorkerFunctions['begin']>> | null = null;
  #isStarting = true;
  #isStopping = false;

  constructor(options: WorkersOptions, counters: SharedCounters | null) {
    this.#options = options;
    this.#counters = counters;
    this.#fileUrlSecrets = { current: options.fileUrlSecret, previous: null };
    this.#hangLimitMs = options.hangLimitMs ?? 30_000;
    this.#checks = setInterval(() => {
      for (const [number, worker] of this.#workers) void this.#check(number, worker);
    }, this.#hangLimitMs / maxUnansweredPings).unref();
  }

  async stop(): Promise<boolean> {
    this.#stopReplacing();
    const stopped = [...this.#workers.values()].map((worker) => this.#stop(worker));
    return (await Promise.all(stopped)).every(Boolean);
  }

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
    for (const { child } of this.#workers.values()) child.process.kill('SIGKILL');
  }

  async startAll() {
    const numbers = Array.from({ length: this.#options.workers }, (_, at) => at + 1);
    const failures = await Promise.all(
      numbers.map(
        (number) => new Promise<Error | null>((resolve) => this.#start(number, 0, resolve)),
      ),
    );
    this.#isStarting = false;
    const started = this.#started;
    if (started === null || 'reason' in started) {
      this.kill();
      throw failures[0] ?? new Error('No worker has started.');
    }
    const pids = numbers.map((number) => this.#workers.get(number)?.child.process.pid);
    return { ...started, pids };
  }

  #start(number: number, lastDelayMs: number, onStart: (failure: Error | null) => void): void {
    if (this.#isStopping) return;
    const startedAt = performance.now();
    const child = forkWorker();
    let failure: Error | null = null;
    const onEnd = (code: number | null, signal: NodeJS.Signals | null): void => {
      this.#workers.delete(number);
      if (this.#isStopping) return;
      const againInMs = restartDelayMs(lastDelayMs, performance.now() - startedAt);
      const fields = { worker: number, pid: child?.process.pid, code, signal, againInMs };
      this.#options.log('error', 'worker ended', fields);
      setTimeout(() => this.#start(number, againInMs, onStart), againInMs);
      // A signal may be for the process group and reach this process next, so it is not a failure.
      if (signal === null) {
        onStart(failure ?? new Error(`worker ${number} ended with code ${code}`));
      }
    };
    if (child === null) {
      setImmediate(onEnd, null, null);
      return;
    }
    child.process.once('exit', onEnd);
    const channel = new Channel<WorkerFunctions>(child.process, {
      invalidateOthers: (written: WriteNotification) =>
        this.#callOthers(number, 'invalidate', written),
      metricsOfOthers: async () => {
        const answers = await this.#callOthers(number, 'metrics', null);
        return answers.filter((snapshot) => snapshot !== undefined);
      },
      countCalls: async ({ caller, calls }: Parameters<PrimaryFunctions['countCalls']>[0]) =>
        this.#counters?.add(caller, calls) ?? null,
    } satisfies PrimaryFunctions);
    const worker: Worker = { child, channel, isListening: false, unansweredPings: 0 };
    this.#workers.set(number, worker);
    const begin = async (): Promise<void> => {
      failure = await this.#begin(number, worker);
      if (worker.isListening) onStart(null);
    };
    void begin();
  }

  /** Makes a worker listen. A worker that cannot listen exits. */
  async #begin(number: number, worker: Worker): Promise<Error | null> {
    const { log, url, sandbox, port, replica } = this.#options;
    const secrets = this.#fileUrlSecrets;
    const fileUrlSecret = secrets.previous ?? secrets.current;
    const { child, channel } = worker;
    const begun = await channel.call('begin', {
      worker: number,
      replica,
      port,
      url,
      sandbox,
      fileUrlSecret,
    });
    if (begun === undefined) return null;
    if ('reason' in begun) {
      log('error', 'worker failed to start', { worker: number, cause: begun.reason });
      child.process.disconnect();
      return Object.assign(new Error(begun.reason), { code: begun.code });
    }
    if (secrets.current !== fileUrlSecret) {
      // The worker has just read the others.
      const others = { jwtSecret: null, dmsClientKeyPassphrase: null };
      const changed = { ...others, fileUrlSecret: secrets.current };
      await channel.call('replaceSecrets', changed, answerLimitMs);
    }
    this.#started = begun;
    worker.isListening = true;
    if (!this.#isStarting)
      log('info', 'worker started', { worker: number, pid: child.process.pid });
    return null;
  }

  async #callOthers<Name extends keyof WorkerFunctions>(
    caller: number,
    name: Name,
    argument: Parameters<WorkerFunctions[Name]>[0],
  ) {
    const called = [...this.#workers].flatMap(([number, { channel, isListening }]) => {
      if (number === caller) return [];
      const answer = channel.call(name, argument, answerLimitMs);
      return isListening ? [answer] : [];
    });
    return Promise.all(called);
  }

  /** Kills an unresponsive worker, whose connections would wait. */
  async #check(number: number, worker: Worker): Promise<void> {
    const { child, channel, isListening } = worker;
    if (!isListening) return;
    if (worker.unansweredPings === maxUnansweredPings) {
      const { pid } = child.process;
      this.#options.log('error', 'worker not responding', { worker: number, pid });
      child.process.kill('SIGKILL');
      return;
    }
    worker.unansweredPings += 1;
    if (await channel.call('ping', null, this.#hangLimitMs)) worker.unansweredPings = 0;
  }

  #stopReplacing(): void {
    this.#isStopping = true;
    clearInterval(this.#checks);
  }

  async #stop({ child, channel, isListening }: Worker): Promise<boolean> {
    const limitMs = this.#options.shutdownTimeoutMs + killAfterMs;
    const late = setTimeout(() => child.process.kill('SIGKILL'), limitMs);
    const ended = once(child.process, 'exit');
    const isClean = await channel.call('stop', null);
    if (child.process.connected) child.process.disconnect();
    await ended;
    clearTimeout(late);
    return isClean ?? !isListening;
  }
}

/** Another gateway on the same port would only share it with the workers. With `PORT=0`, each would select another one. */
async function availablePort({
  host,
  port: wanted,
}: Pick<WorkersOptions, 'host' | 'port'>): Promise<number> {
  const server = createServer().listen(wanted, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await promisify(server.close.bind(server))();
  return port;
}

/** Starts a process. Null if the system cannot create one, for example for lack of memory or open files. */
function forkWorker(): ClusterWorker | null {
  try {
    const child = cluster.fork();
    child.on('error', () => {}); // `exit` reports processes that have ended
    return child.process.pid === undefined ? null : child;
  } catch {
    return null;
  }
}

/**
 * Delay before a worker that ended is replaced, in milliseconds: 100 ms after a stable run (10 s or more), otherwise
 * doubled with each restart up to 30 s, so that a worker that cannot run does not keep the machine busy.
 */
export function restartDelayMs(lastMs: number, livedMs: number): number {
  return livedMs >= 10_000 ? 100 : Math.min(30_000, Math.max(100, lastMs * 2));
}
