import type { Connections } from '../call/call.ts';
import type { Semaphore } from '../limits/semaphore.ts';

/** What all file transfers of a client share. They have connections of their own, so that they never delay calls. */
export interface Transfers extends Connections {
  /** Maximum time without data, in milliseconds. For an upload, also the time from its end to the response. */
  readonly idleMs: number;
  readonly minRate: TransferRate;
  /** Files that are decoded at the same time: a decoder of `br` takes up to 20 MiB. */
  readonly decoders: Semaphore;
}

/**
 * The minimum rate of a file transfer, for clients and for the DMS. Time in which the client waits for the DMS does not
 * count.
 */
export interface TransferRate {
  readonly bytes: number;
  /** The measuring window, in milliseconds of waiting for the client. The first window is a grace period. */
  readonly windowMs: number;
}

/** 1 KiB/s over 30 s: slower than any usable connection, and it frees a stalled connection within a minute. */
export const minTransferRate: TransferRate = { bytes: 30 * 1024, windowMs: 30_000 };

/** Detects that one side of a transfer, usually the client, is slower than the minimum rate. */
export class TransferRateMonitor {
  readonly #min: TransferRate;
  #fromMs = 0;
  #fromBytes = 0;

  constructor(min: TransferRate) {
    this.#min = min;
  }

  /**
   * Called when data has moved, or has not moved for some time.
   * @param waitedMs total time that the transfer has waited for the client
   * @param bytes total bytes that the client has sent or received
   */
  isTooSlow(waitedMs: number, bytes: number): boolean {
    const ms = waitedMs - this.#fromMs;
    if (ms < this.#min.windowMs) return false;
    const isTooSlow = (bytes - this.#fromBytes) * this.#min.windowMs < this.#min.bytes * ms;
    this.#fromMs = waitedMs;
    this.#fromBytes = bytes;
    return isTooSlow;
  }
}
