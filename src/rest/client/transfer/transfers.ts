import type { Connections } from '../call/call.ts';
import type { Semaphore } from '../limits/semaphore.ts';

/** What all file transfers of a client share. They have connections of their own, so that they never delay calls. */
export interface Transfers extends Connections {
  readonly idleMs: number;
  readonly minRate: TransferRate;
  readonly decoders: Semaphore;
}

export interface TransferRate {
  readonly bytes: number;
  readonly windowMs: number;
}

export const minTransferRate: TransferRate = { bytes: 30 * 1024, windowMs: 30_000 };

export class TransferRateMonitor {
  readonly #min: TransferRate;
  #fromMs = 0;
  #fromBytes = 0;

  constructor(min: TransferRate) {
    this.#min = min;
  }

  isTooSlow(waitedMs: number, bytes: number): boolean {
    const ms = waitedMs - this.#fromMs;
    if (ms < this.#min.windowMs) return false;
    const isTooSlow = (bytes - this.#fromBytes) * this.#min.windowMs < this.#min.bytes * ms;
    this.#fromMs = waitedMs;
    this.#fromBytes = bytes;
    return isTooSlow;
  }
}
