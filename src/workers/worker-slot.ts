import { fork, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { FromWorker, ToWorker } from './messages.ts';
import { restartDelayMs } from './restart-delay.ts';

/** How a worker process ended. Code and signal are both null if the process could not be started. */
export interface Ending {
  readonly pid: number | undefined;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Receives what happens to the worker of a slot. */
export interface SlotObserver {
  /** A process was started. It waits for its configuration, and its output must be read. */
  started(slot: WorkerSlot, lines: Readable | null): void;
  received(slot: WorkerSlot, message: FromWorker): void;
  /** The worker no longer answers questions. */
  lost(slot: WorkerSlot): void;
  /** The process has ended, and its output was read completely. */
  ended(slot: WorkerSlot, ending: Ending): void;
}

/** A worker, which is replaced when its process ends. A slot keeps its number. */
export class WorkerSlot {
  /** Counted from 1. */
  readonly number: number;
  isListening = false;
  /** Whether the worker aborted no request: it reported so, or it never listened. */
  wasClean = true;
  readonly #entry: string;
  readonly #observer: SlotObserver;
  #worker: ChildProcess | null = null;
  #startedAt = 0;
  #pauseMs = 0;
  #unansweredPings = 0;
  #restartTimer: NodeJS.Timeout | undefined;

  /** @param entry the script that a worker runs, with the argument `--worker` */
  constructor(number: number, entry: string, observer: SlotObserver) {
    this.number = number;
    this.#entry = entry;
    this.#observer = observer;
  }

  /** Whether a process is running. */
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
      // Asynchronously, like the end of a process: the caller has not returned yet.
      setImmediate(() => this.#observer.ended(this, { pid: undefined, code: null, signal: null }));
      return;
    }
    this.#worker = worker;
    worker.on('message', (message: FromWorker) => this.#observer.received(this, message));
    worker.on('disconnect', () => {
      if (this.#worker === worker) this.#observer.lost(this);
    });
    // Not `exit`: the last output of the process would be lost.
    worker.once('close', (code, signal) => this.#end(worker, code, signal));
    this.#observer.started(this, worker.stdout);
  }

  /** Schedules a replacement. @returns the delay in milliseconds */
  restart(): number {
    this.#pauseMs = restartDelayMs(this.#pauseMs, performance.now() - this.#startedAt);
    this.#restartTimer = setTimeout(() => this.start(), this.#pauseMs);
    return this.#pauseMs;
  }

  /** Cancels a pending replacement. */
  close(): void {
    clearTimeout(this.#restartTimer);
  }

  send(message: ToWorker): void {
    // Without a callback, sending to a process that has ended would raise an error in this process.
    this.#worker?.send(message, () => {});
  }

  /**
   * Sends a ping. A worker that does not listen yet is not pinged, because no client waits for it.
   *
   * @returns number of earlier pings that are not answered
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

  /** Starts a process. Null if the system cannot create one, for example for lack of memory or open files. */
  #fork(): ChildProcess | null {
    try {
      const worker = fork(this.#entry, ['--worker'], {
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      });
      // Emitted if a process cannot be started or a message cannot be sent. `close` reports processes that have ended.
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
