import { createServer, type ListenOptions, type Server } from 'node:net';
import type { Readable } from 'node:stream';
import type { LogOutput } from '../server/telemetry/log-output.ts';
import { LogMerger } from './log-merger.ts';
import type { FromWorker, WorkerConfig } from './messages.ts';
import { WorkerSlot, type Ending } from './worker-slot.ts';
import { QuestionRelay } from './request-relay.ts';

export interface WorkersOptions extends Pick<WorkerConfig, 'sandbox' | 'fileUrlSecret'> {
  readonly count: number;
  /** The script that a worker runs, with `--worker`. */
  readonly entry: string;
  readonly host: string;
  /** 0: any free one, the same for all. */
  readonly port: number;
  /** How long a worker lets its requests end. */
  readonly shutdownTimeoutMs: number;
  /** How long a worker may answer nothing before it is ended and replaced, in milliseconds. Default 30 s. */
  readonly hangLimitMs?: number;
  /** Where the workers' lines go. */
  readonly output: LogOutput;
  readonly log: (
    level: 'info' | 'error',
    message: string,
    fields: Readonly<Record<string, unknown>>,
  ) => void;
}

/** Workers that answer. */
interface StartedWorkers {
  /** Where all of them listen. */
  readonly url: string;
  /** Process ids; the first is that of worker 1. Undefined for one that has ended and is started again. */
  readonly pids: readonly (number | undefined)[];
}

export interface Workers {
  /**
   * Resolves when each worker listens, except those that have ended since. Rejects, and ends all, when each has ended
   * before any could listen: there is something wrong with all of them.
   */
  readonly ready: Promise<StartedWorkers>;
  /** Lets their requests end, and waits; says whether none had to be cut. It can be called before they have started. */
  stop(): Promise<boolean>;
  /** Ends them at once. */
  kill(): void;
}

const answerLimitMs = 1000;
const defaultHangLimitMs = 30_000;
/** Pings in that time. They are counted rather than the time, which goes on while a machine sleeps. */
const hangPings = 6;
const killAfterMs = 3000; // beyond what a worker lets requests take, and a second for writes

/**
 * Starts the workers, and starts another one wherever one ends. They listen on the same port, and the kernel distributes the
 * connections: none goes through this process, and those of a worker that ends are reset at once.
 *
 * @throws when the port cannot be had
 */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const reserved = await reservePort(options);
  const primary = new Primary(options, reserved);
  primary.start();
  return primary;
}

/** A port that is free for the workers. */
interface ReservedPort {
  readonly port: number;
  /** Called when the workers have it, or no longer want it. */
  release(): void;
}

/** Whether the port can be had is found out once, before anything is started for it. */
async function reservePort({ host, port }: WorkersOptions): Promise<ReservedPort> {
  // Processes that share a port do not notice another gateway that shares it too: one that does not share it does.
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
  // A port that was chosen here is kept, so that nobody else gets it meanwhile. Nobody knows it yet, so nobody connects.
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
  /** Whose worker has ended by itself during the start. */
  readonly #failed = new Set<WorkerSlot>();
  readonly #pinging: NodeJS.Timeout;
  #isStarting = true;
  #isStopping = false;
  /** Empty until the first listens. */
  #url = '';
  /** Why the first worker that failed did. */
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
    // One that a signal ended did not fail: the signal may have been for all, and reach this process next.
    if (!this.#isStarting || signal !== null) return;
    this.#reason ||= `worker ${slot.number} ended with code ${code}`;
    this.#failed.add(slot);
    this.#endStart();
  }

  /** A worker whose event loop stands still would keep its share of all new connections waiting. */
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

  /** Ends the start when no worker is left whose start has not had an outcome. */
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
