import cluster, { type Worker } from 'node:cluster';
import type { Readable } from 'node:stream';
import type { FromWorker, ToWorker } from './messages.ts';
import { nextPauseMs } from './pause.ts';

/** How a worker's process ended; both null where it could not even be started. */
export interface Ending {
  readonly pid: number | undefined;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Watching {
  /** A process was started: it is to be told what to do, and its lines are to be read. */
  started(place: Place, lines: Readable | null): void;
  heard(place: Place, message: FromWorker): void;
  /** It can no longer be asked anything. */
  lost(place: Place): void;
  /** It has ended, and all that it wrote was read. */
  ended(place: Place, ending: Ending): void;
}

/** The place of one worker, which another takes when it has ended. */
export class Place {
  /** From 1. */
  readonly number: number;
  isListening = false;
  /** Whether its worker has said that it stopped and cut no request. */
  wasClean = false;
  readonly #watching: Watching;
  #worker: Worker | null = null;
  #startedAt = 0;
  #pauseMs = 0;
  #refill: NodeJS.Timeout | undefined;

  constructor(number: number, watching: Watching) {
    this.number = number;
    this.#watching = watching;
  }

  get isTaken(): boolean {
    return this.#worker !== null;
  }

  get pid(): number | undefined {
    return this.#worker?.process.pid;
  }

  fill(): void {
    const worker = cluster.fork();
    this.#worker = worker;
    this.#startedAt = performance.now();
    this.isListening = false;
    this.wasClean = false;
    worker.on('message', (message: FromWorker) => this.#watching.heard(this, message));
    worker.on('disconnect', () => {
      if (this.#worker === worker) this.#watching.lost(this);
    });
    // Not `exit`: what it has written last would be lost.
    worker.process.once('close', (code, signal) => this.#end(worker, code, signal));
    worker.on('error', () => this.#end(worker, null, null));
    this.#watching.started(this, worker.process.stdout);
  }

  /** Fills it again in a while. @returns after how many milliseconds */
  refill(): number {
    this.#pauseMs = nextPauseMs(this.#pauseMs, performance.now() - this.#startedAt);
    this.#refill = setTimeout(() => this.fill(), this.#pauseMs);
    return this.#pauseMs;
  }

  /** Leaves it empty where it is. */
  close(): void {
    clearTimeout(this.#refill);
  }

  send(message: ToWorker): void {
    // It may have ended; without a callback that would be an error of this process.
    this.#worker?.send(message, () => {});
  }

  kill(): void {
    this.#worker?.process.kill('SIGKILL');
  }

  #end(worker: Worker, code: number | null, signal: NodeJS.Signals | null): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.isListening = false;
    this.#watching.lost(this);
    this.#watching.ended(this, { pid: worker.process.pid, code, signal });
  }
}
