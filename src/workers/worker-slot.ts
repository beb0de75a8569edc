import { fork, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { FromWorker, ToWorker } from './messages.ts';
import { restartDelayMs } from './restart-delay.ts';

/** How a worker's process ended; both null where it could not even be started. */
export interface Ending {
  readonly pid: number | undefined;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface SlotObserver {
  /** A process was started: it waits for its configuration, and its output has to be read. */
  started(slot: WorkerSlot, lines: Readable | null): void;
  received(slot: WorkerSlot, message: FromWorker): void;
  /** It can no longer be asked anything. */
  lost(slot: WorkerSlot): void;
  /** It has ended, and all that it wrote was read. */
  ended(slot: WorkerSlot, ending: Ending): void;
}

/** One worker, which is replaced when its process ends. */
export class WorkerSlot {
  /** From 1. */
  readonly number: number;
  isListening = false;
  /** Whether its worker cut no request: it has said so, or never listened. */
  wasClean = true;
  readonly #entry: string;
  readonly #observer: SlotObserver;
  #worker: ChildProcess | null = null;
  #startedAt = 0;
  #pauseMs = 0;
  #unansweredPings = 0;
  #restartTimer: NodeJS.Timeout | undefined;

  /** @param entry the script that a worker runs, with `--worker` */
  constructor(number: number, entry: string, observer: SlotObserver) {
    this.number = number;
    this.#entry = entry;
    this.#observer = observer;
  }

  get isTaken(): boolean {
    return this.#worker !== null;
  }

  get pid(): number | undefined {
    return this.#worker?.pid;
  }

  start(): void {
    this.#startedAt = performance.now();
    this.wasClean = true;
    this.#unansweredPings = 0;
    const worker = this.#fork();
    if (worker === null) {
      // Asynchronously, as if a process had ended: the caller has not returned yet.
      setImmediate(() => this.#observer.ended(this, { pid: undefined, code: null, signal: null }));
      return;
    }
    this.#worker = worker;
    worker.on('message', (message: FromWorker) => this.#observer.received(this, message));
    worker.on('disconnect', () => {
      if (this.#worker === worker) this.#observer.lost(this);
    });
    // Not `exit`: what it has written last would be lost.
    worker.once('close', (code, signal) => this.#end(worker, code, signal));
    this.#observer.started(this, worker.stdout);
  }

  /** Fills it again in a while. @returns after how many milliseconds */
  restart(): number {
    this.#pauseMs = restartDelayMs(this.#pauseMs, performance.now() - this.#startedAt);
    this.#restartTimer = setTimeout(() => this.start(), this.#pauseMs);
    return this.#pauseMs;
  }

  /** Cancels a restart that is pending. */
  close(): void {
    clearTimeout(this.#restartTimer);
  }

  send(message: ToWorker): void {
    // It may have ended; without a callback that would be an error of this process.
    this.#worker?.send(message, () => {});
  }

  /**
   * Asks the worker whether it still runs; one that does not listen yet keeps no client waiting.
   * @returns how many such questions it has not answered, this one left out
   */
  ping(): number {
    if (!this.isListening) return 0;
    const unanswered = this.#unansweredPings;
    this.#unansweredPings += 1;
    this.send({ kind: 'ping' });
    return unanswered;
  }

  pong(): void {
    this.#unansweredPings = 0;
  }

  kill(): void {
    this.#worker?.kill('SIGKILL');
  }

  /** Null if the system has no process, memory or open file left for it. */
  #fork(): ChildProcess | null {
    try {
      const worker = fork(this.#entry, ['--worker'], {
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      });
      // Of a process that was not started, and of a message that could not be sent. `close` reports what has ended.
      worker.on('error', () => {});
      return worker.pid === undefined ? null : worker;
    } catch {
      return null;
    }
  }

  #end(worker: ChildProcess, code: number | null, signal: NodeJS.Signals | null): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.isListening = false;
    this.#observer.lost(this);
    this.#observer.ended(this, { pid: worker.pid, code, signal });
  }
}
