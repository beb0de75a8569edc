import type { IncomingMessage, ServerResponse } from 'node:http';
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { GatewayOptions } from '../options.ts';
import { busy } from '../errors/http-error.ts';

/** Limits of what requests and responses hold. */
export type RequestMemoryOptions = Pick<
  GatewayOptions,
  'requestTimeoutMs' | 'maxRequestBytes' | 'processes'
>;

/** What an operation holds while it runs, apart from its body and its response, in bytes. Measured, rounded up. */
export const requestBytes = 32 * 1024;

/** A caller can hold this many times as much as it leaves free: at most three quarters. */
const share = 3;

function defaultMaximum(processes: number): number {
  // Without a constraint, Node returns 0 or more than the memory of the machine.
  const memory = Math.min(process.constrainedMemory() || Infinity, totalmem()) / processes;
  return Math.min(memory / 4, getHeapStatistics().heap_size_limit / 2);
}

/**
 * The memory that requests hold: those that run, those that wait, their bodies, and responses that clients do not read.
 * The callers share it, so that no client can exhaust the memory of the process or the share of others.
 *
 * A request that does not fit is rejected. What waits for its client, such as an incomplete body, is ended early to make
 * room: the one that has waited longest without progress, of the same caller or of one that holds more.
 */
export class RequestMemory {
  readonly timeoutMs: number;
  readonly #maxBytes: number;
  #usedBytes = 0;
  readonly #bytesOf = new Map<string, number>();
  /** What can be ended early, without progress for the longest time first. */
  readonly #waiting = new Set<MemoryClaim>();

  constructor({ requestTimeoutMs, processes = 1, maxRequestBytes }: RequestMemoryOptions) {
    this.timeoutMs = requestTimeoutMs;
    this.#maxBytes = maxRequestBytes ?? defaultMaximum(processes);
  }

  /** Changes what a claim holds. Returns false, and changes nothing, if the memory is used up. */
  resize(claim: MemoryClaim, bytes: number, canFail: boolean): boolean {
    const { key } = claim;
    const change = bytes - claim.bytes;
    this.#waiting.delete(claim);
    while (!this.#isAvailable(key, change)) {
      const other = this.#maxIdleClaim((this.#bytesOf.get(key) ?? 0) + change, key);
      if (other !== undefined) other.end();
      else if (canFail) return false;
      else break;
    }
    this.#usedBytes += change;
    const ofCaller = (this.#bytesOf.get(key) ?? 0) + change;
    if (ofCaller > 0) this.#bytesOf.set(key, ofCaller);
    else this.#bytesOf.delete(key);
    if (claim.onEnd !== null) this.#waiting.add(claim);
    return true;
  }

  #isAvailable(key: string, change: number): boolean {
    const free = this.#maxBytes - this.#usedBytes - change;
    return change <= 0 || (this.#bytesOf.get(key) ?? 0) + change <= share * free;
  }

  #maxIdleClaim(bytes: number, key: string): MemoryClaim | undefined {
    return this.#waiting
      .values()
      .find((claim) => claim.key === key || this.#bytesOf.get(claim.key)! > bytes);
  }
}

/** What one request holds of the memory. */
export class MemoryClaim {
  key: string;
  bytes = 0;
  /** Of `bytes`, what the request itself holds. The rest is its response. */
  #ofRequest = 0;
  /** Null if the request cannot be ended to free memory. */
  onEnd: (() => void) | null = null;
  readonly #memory: RequestMemory;
  #timer: NodeJS.Timeout | undefined;
  #isReleased = false;

  /** @param key the caller, or the address of the client while the caller is unknown */
  constructor(memory: RequestMemory, key: string) {
    this.#memory = memory;
    this.key = key;
  }

  /**
   * Sets the number of bytes. A request that is rejected holds nothing.
   *
   * @param onEnd called if the request is ended early to free memory; null if it cannot be ended
   * @throws {HttpError} 503 if the memory is used up
   */
  hold(bytes: number, onEnd: (() => void) | null = null): void {
    this.#ofRequest = bytes;
    if (this.#set(bytes, onEnd, true)) return;
    this.#clear();
    throw busy();
  }

  /** Counts the request for another caller. @throws {HttpError} 503 if the share of that one is used up */
  moveTo(key: string): void {
    const { bytes } = this;
    this.#clear();
    this.key = key;
    this.hold(bytes);
  }

  /**
   * Counts a request whose response is written, but not received completely, or precedes the end of the request body. It
   * always fits. The connection is closed if the client does not read in time, or to free memory.
   */
  holdResponse(req: IncomingMessage, res: ServerResponse): void {
    if (this.#isReleased) return; // a timer would keep the whole request in memory
    clearTimeout(this.#timer);
    // A pipelined response waits for the one before it, which can be endless; its own `destroy` would wait too.
    const close = (): void => void req.socket.destroy();
    this.#timer = setTimeout(close, this.#memory.timeoutMs).unref();
    const bytes = this.#ofRequest + res.writableLength;
    this.#set(bytes, bytes > 0 ? close : null, false);
  }

  /** Ends `holdResponse`: the client has read what was sent so far. */
  responseRead(): void {
    clearTimeout(this.#timer);
    this.#set(this.#ofRequest, null, false);
  }

  /** Ends the request to free memory. */
  end(): void {
    const { onEnd } = this;
    this.#clear();
    onEnd?.();
  }

  /** Returns everything, for good: what still runs of the request holds nothing. */
  release(): void {
    this.#clear();
    this.#isReleased = true;
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#ofRequest = 0;
    this.#set(0, null, false);
  }

  #set(bytes: number, onEnd: (() => void) | null, canFail: boolean): boolean {
    if (this.#isReleased) return true;
    this.onEnd = onEnd;
    const isSet = this.#memory.resize(this, bytes, canFail);
    if (isSet) this.bytes = bytes;
    return isSet;
  }
}
