import cluster from 'node:cluster';
import { createServer } from 'node:net';
import type { Readable } from 'node:stream';
import type { Output } from '../server/output.ts';
import { Lines } from './lines.ts';
import type { FromWorker, Orders } from './messages.ts';
import { Place, type Ending } from './place.ts';
import { Relay } from './relay.ts';

export interface WorkersOptions extends Pick<Orders, 'sandbox' | 'fileUrlSecret'> {
  readonly count: number;
  readonly host: string;
  /** 0: any free one, the same for all. */
  readonly port: number;
  /** How long a worker lets its requests end. */
  readonly shutdownTimeoutMs: number;
  /** Where the workers' lines go. */
  readonly output: Output;
  readonly say: (
    level: 'info' | 'error',
    message: string,
    facts: Readonly<Record<string, unknown>>,
  ) => void;
}

export interface Workers {
  /** Where all of them listen. */
  readonly url: string;
  /** Process ids; the first is that of worker 1. */
  readonly pids: readonly (number | undefined)[];
  /** Lets their requests end, and waits; says whether none had to be cut. */
  stop(): Promise<boolean>;
  /** Ends them at once. */
  kill(): void;
}

const answerLimitMs = 1000;
const killAfterMs = 3000; // beyond what a worker lets requests take, and a second for writes

/**
 * Starts the workers, and starts another one wherever one ends.
 * @throws when the port cannot be had, or one of the first cannot begin
 */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  await tryPort(options);
  const primary = new Primary(options);
  try {
    return await primary.start();
  } catch (error) {
    primary.kill();
    throw error;
  }
}

/** Whether the port can be had is found out once, before anything is started for it. */
function tryPort({ host, port }: WorkersOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => server.close(() => resolve()));
  });
}

class Primary {
  readonly #options: WorkersOptions;
  readonly #relay = new Relay(answerLimitMs);
  readonly #lines: Lines;
  readonly #places: readonly Place[];
  readonly #allListen = Promise.withResolvers<void>();
  readonly #allEnded = Promise.withResolvers<void>();
  #isStarting = true;
  #isStopping = false;
  /** Empty until the first listens. */
  #url = '';
  #port: number;

  constructor(options: WorkersOptions) {
    this.#options = options;
    this.#port = options.port;
    this.#lines = new Lines(options.output);
    this.#places = Array.from({ length: options.count }, (_, at) => new Place(at + 1, this));
    cluster.setupPrimary({ stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  }

  async start(): Promise<Workers> {
    for (const place of this.#places) place.fill();
    await this.#allListen.promise;
    return {
      url: this.#url,
      pids: this.#places.map(({ pid }) => pid),
      stop: () => this.stop(),
      kill: () => this.kill(),
    };
  }

  async stop(): Promise<boolean> {
    this.#isStopping = true;
    const taken = this.#places.filter(({ isTaken }) => isTaken);
    for (const place of this.#places) place.close();
    for (const place of taken) place.send({ kind: 'stop' });
    const late = setTimeout(() => this.kill(), this.#options.shutdownTimeoutMs + killAfterMs);
    if (taken.length > 0) await this.#allEnded.promise;
    clearTimeout(late);
    return taken.every(({ wasClean }) => wasClean);
  }

  kill(): void {
    this.#isStopping = true;
    for (const place of this.#places) {
      place.close();
      place.kill();
    }
  }

  started(place: Place, lines: Readable | null): void {
    if (lines !== null) this.#lines.from(lines);
    const { sandbox, fileUrlSecret } = this.#options;
    const orders = { worker: place.number, port: this.#port, sandbox, fileUrlSecret };
    place.send({ kind: 'begin', orders });
  }

  heard(place: Place, message: FromWorker): void {
    switch (message.kind) {
      case 'joined':
        return this.#relay.join(place);
      case 'ask':
        return this.#relay.ask(place, message);
      case 'reply':
        return this.#relay.reply(place, message);
      case 'listening':
        return this.#listens(place, message.url);
      case 'failed':
        return this.#failed(place, message.reason);
      case 'stopped':
        place.wasClean = message.clean;
    }
  }

  lost(place: Place): void {
    this.#relay.leave(place);
  }

  ended(place: Place, ending: Ending): void {
    if (this.#isStopping) {
      if (this.#places.every(({ isTaken }) => !isTaken)) this.#allEnded.resolve();
      return;
    }
    const { code, signal } = ending;
    // One that a signal ended did not fail: the signal may have been for all, and reach this process next.
    if (this.#isStarting && signal === null) {
      this.#allListen.reject(new Error(`worker ${place.number} ended with code ${code}`));
      return;
    }
    const againInMs = place.refill();
    this.#options.say('error', 'worker ended', { worker: place.number, ...ending, againInMs });
  }

  #listens(place: Place, url: string): void {
    this.#url ||= url;
    if (url !== this.#url) {
      // With PORT=0, after all had ended: the port that was announced is free, and is taken by name from now on.
      this.#port = Number(new URL(this.#url).port);
      place.kill();
      return;
    }
    place.isListening = true;
    if (!this.#isStarting) {
      this.#options.say('info', 'worker started', { worker: place.number, pid: place.pid });
    } else if (this.#places.every(({ isListening }) => isListening)) {
      this.#isStarting = false;
      this.#allListen.resolve();
    }
  }

  #failed(place: Place, reason: string): void {
    if (this.#isStarting) this.#allListen.reject(new Error(reason));
    else this.#options.say('error', 'worker cannot begin', { worker: place.number, cause: reason });
  }
}
