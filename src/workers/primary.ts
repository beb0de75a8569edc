import { createServer, type ListenOptions, type Server } from 'node:net';
import type { Readable } from 'node:stream';
import type { LogOutput } from '../server/telemetry/log-output.ts';
import { LogMerger } from './log-merger.ts';
import type { FromWorker, WorkerConfig } from './messages.ts';
import { WorkerSlot, type Ending } from './worker-slot.ts';
import { QuestionRelay } from './request-relay.ts';

/** Settings of the worker processes. */
export interface WorkersOptions extends Pick<WorkerConfig, 'sandbox' | 'fileUrlSecret'> {
  readonly count: number;
  /** The script that a worker runs, with the argument `--worker`. */
  readonly entry: string;
  readonly host: string;
  /** 0 selects a free port, the same for all workers. */
  readonly port: number;
  /** How long a stopping worker waits for running requests, in milliseconds. */
  readonly shutdownTimeoutMs: number;
  /** How long a worker can be unresponsive before it is killed and replaced, in milliseconds. Default 30 s. */
  readonly hangLimitMs?: number;
  /** Destination of the workers' log lines. */
  readonly output: LogOutput;
  readonly log: (
    level: 'info' | 'error',
    message: string,
    fields: Readonly<Record<string, unknown>>,
  ) => void;
}

/** Workers that accept connections. */
interface StartedWorkers {
  /** Base URL of all workers. */
  readonly url: string;
  /** Process IDs by worker number. Undefined for a worker that has ended and is about to be replaced. */
  readonly pids: readonly (number | undefined)[];
}

/** The running worker processes. */
export interface Workers {
  /**
   * Resolves when every worker listens, apart from those that have ended since. Rejects and kills all of them if every
   * worker ended before it listened.
   */
  readonly ready: Promise<StartedWorkers>;
  /**
   * Stops the workers and waits for running requests. Resolves with true if no request was aborted. Can be called
   * before they have started.
   */
  stop(): Promise<boolean>;
  /** Kills all workers immediately. */
  kill(): void;
}

const answerLimitMs = 1000;
const defaultHangLimitMs = 30_000;
/**
 * Number of unanswered pings after which a worker counts as unresponsive. Pings are counted instead of time, because
 * time also passes while the machine is suspended.
 */
const hangPings = 6;
const killAfterMs = 3000; // added to the shutdown timeout, which a worker exceeds by a second to finish writes

/**
 * Starts the workers, and replaces each one that ends. They share a port, and the kernel distributes connections among
 * them. No connection passes through this process, so the connections of a worker that ends are closed at once.
 *
 * @throws if the port is not available
 */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const reserved = await reservePort(options);
  const primary = new Primary(options, reserved);
  primary.start();
  return primary;
}

/** A port that is reserved for the workers. */
interface ReservedPort {
  readonly port: number;
  /** Called when the workers listen on the port or no longer need it. */
  release(): void;
}

/** Checks once that the port is available, before any process is started. */
async function reservePort({ host, port }: WorkersOptions): Promise<ReservedPort> {
  // Listening with a shared port succeeds even if another gateway shares the same port. Listening exclusively detects
  // it.
  if (port !== 0) (await listenOn({ host, port })).close();
  const server = await listenOn({ host, port, reusePort: true }).catch((error: unknown) => {
    if (!isNotSupported(error)) throw error;
    throw new Error(
      'WORKERS must be 1: this system does not support sharing a port between processes',
      {
        cause: error,
      },
    );
  });
  const release = (): void => void server.close();
  // A port that was selected here stays reserved until the workers listen. No client knows it yet, so none connects.
  if (port !== 0) release();
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : port, release };
}

function listenOn(options: ListenOptions): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(options, () => resolve(server));
  });
}

function isNotSupported(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOTSUP';
}

class Primary implements Workers {
  readonly ready: Promise<StartedWorkers>;
  readonly #options: WorkersOptions;
  readonly #reserved: ReservedPort;
  readonly #relay = new QuestionRelay(answerLimitMs);
  readonly #logMerger: LogMerger;
  readonly #slots: readonly WorkerSlot[];
  readonly #start = Promise.withResolvers<StartedWorkers>();
  readonly #allEnded = Promise.withResolvers<void>();
  /** The slots whose worker ended by itself during the start. */
  readonly #failed = new Set<WorkerSlot>();
  readonly #pinging: NodeJS.Timeout;
  #isStarting = true;
  #isStopping = false;
  /** Empty until the first worker listens. */
  #url = '';
  /** The error of the first worker that failed to start. */
  #reason = '';

  constructor(options: WorkersOptions, reserved: ReservedPort) {
    this.ready = this.#start.promise;
    this.#options = options;
    this.#reserved = reserved;
    this.#logMerger = new LogMerger(options.output);
    this.#slots = Array.from(
      { length: options.count },
      (_, at) => new WorkerSlot(at + 1, options.entry, this),
    );
    const { hangLimitMs = defaultHangLimitMs } = options;
    this.#pinging = setInterval(() => this.#endHanging(), hangLimitMs / hangPings).unref();
  }

  start(): void {
    for (const slot of this.#slots) slot.start();
  }

  async stop(): Promise<boolean> {
    this.#isStopping = true;
    clearInterval(this.#pinging);
    this.#reserved.release();
    const taken = this.#slots.filter(({ isTaken }) => isTaken);
    for (const slot of this.#slots) slot.close();
    for (const slot of taken) slot.send({ kind: 'stop' });
    const late = setTimeout(() => this.kill(), this.#options.shutdownTimeoutMs + killAfterMs);
    if (taken.length > 0) await this.#allEnded.promise;
    clearTimeout(late);
    return taken.every(({ wasClean }) => wasClean);
  }

  readonly kill = (): void => {
    this.#isStopping = true;
    clearInterval(this.#pinging);
    for (const slot of this.#slots) {
      slot.close();
      slot.kill();
    }
  };

  started(slot: WorkerSlot, lines: Readable | null): void {
    if (lines !== null) this.#logMerger.from(lines);
    const { sandbox, fileUrlSecret } = this.#options;
    const { port } = this.#reserved;
    const config = { worker: slot.number, port, sandbox, fileUrlSecret };
    slot.send({ kind: 'begin', config });
  }

  received(slot: WorkerSlot, message: FromWorker): void {
    switch (message.kind) {
      case 'joined':
        return this.#relay.join(slot);
      case 'pong':
        return slot.pong();
      case 'ask':
        return this.#relay.ask(slot, message);
      case 'reply':
        return this.#relay.reply(slot, message);
      case 'listening':
        return this.#listens(slot, message.url);
      case 'failed':
        return this.#couldNotBegin(slot, message.reason);
      case 'stopped':
        slot.wasClean = message.clean;
    }
  }

  lost(slot: WorkerSlot): void {
    this.#relay.leave(slot);
  }

  ended(slot: WorkerSlot, ending: Ending): void {
    if (this.#isStopping) {
      if (this.#slots.every(({ isTaken }) => !isTaken)) this.#allEnded.resolve();
      return;
    }
    const { code, signal } = ending;
    const againInMs = slot.restart();
    this.#options.log('error', 'worker ended', { worker: slot.number, ...ending, againInMs });
    // A worker that was ended by a signal has not failed: the signal may be for the process group and reach this
    // process next.
    if (!this.#isStarting || signal !== null) return;
    this.#reason ||= `worker ${slot.number} ended with code ${code}`;
    this.#failed.add(slot);
    this.#endStart();
  }

  /** Kills unresponsive workers. The kernel would keep assigning new connections to them. */
  #endHanging(): void {
    for (const slot of this.#slots) {
      if (slot.ping() < hangPings) continue;
      this.#options.log('error', 'worker not responding', { worker: slot.number, pid: slot.pid });
      slot.kill();
    }
  }

  #listens(slot: WorkerSlot, url: string): void {
    this.#url = url;
    slot.isListening = true;
    slot.wasClean = false;
    if (this.#isStarting) this.#endStart();
    else this.#options.log('info', 'worker started', { worker: slot.number, pid: slot.pid });
  }

  #couldNotBegin(slot: WorkerSlot, reason: string): void {
    this.#reason ||= reason;
    this.#options.log('error', 'worker failed to start', { worker: slot.number, cause: reason });
  }

  /** Completes the start when every worker listens or has failed. */
  #endStart(): void {
    const slots = this.#slots;
    if (!slots.every((slot) => slot.isListening || this.#failed.has(slot))) return;
    if (slots.some(({ isListening }) => isListening)) {
      this.#isStarting = false;
      this.#reserved.release();
      this.#start.resolve({ url: this.#url, pids: slots.map(({ pid }) => pid) });
    } else if (this.#url === '') {
      this.kill();
      this.#start.reject(new Error(this.#reason));
    }
  }
}
