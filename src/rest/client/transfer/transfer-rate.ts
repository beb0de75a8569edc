/**
 * The slowest that a client may send or take a file. Time in which it waits for the DMS does not count. The DMS may not
 * send a file slower either.
 */
export interface TransferRate {
  readonly bytes: number;
  /** In each such stretch of time that the transfer waited for its client; the first one is the grace period. */
  readonly windowMs: number;
}

/** 1 KiB/s over 30 s: less than any connection that people work with, and a connection is free again within a minute. */
export const minTransferRate: TransferRate = { bytes: 30 * 1024, windowMs: 30_000 };

/** Detects whether one side of a transfer, nearly always its client, stays below the minimum rate. */
export class TransferRateMonitor {
  readonly #min: TransferRate;
  #fromMs = 0;
  #fromBytes = 0;

  constructor(min: TransferRate) {
    this.#min = min;
  }

  /**
   * To be asked whenever something has moved, or has not for a while.
   * @param waitedMs time that the transfer has waited for its client, in all
   * @param bytes that the client has sent or taken, in all
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
