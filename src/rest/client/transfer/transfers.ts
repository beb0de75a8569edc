import type { Connections } from '../call/call.ts';
import type { Semaphore } from '../limits/semaphore.ts';
import type { TransferRate } from './transfer-rate.ts';

/** What all file transfers of a client share. They have connections of their own, so that they never delay calls. */
export interface Transfers extends Connections {
  /** Maximum time without data, in milliseconds. For an upload, also the time from its end to the response. */
  readonly idleMs: number;
  readonly minRate: TransferRate;
  /** Files that are decoded at the same time: a decoder of `br` takes up to 20 MiB. */
  readonly decoders: Semaphore;
}
