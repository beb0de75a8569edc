import type { IncomingHttpHeaders } from 'node:http';
import type { LargeBodies } from './large-bodies.ts';
import type { HttpObserver } from './observer.ts';
import type { TransferRate } from './transfer/transfer-rate.ts';
import type { ConnectionPool, Transport } from './transport.ts';

/** The parts that reads, writes and transfers share. */
export interface Upstream {
  readonly transport: Transport;
  readonly callPool: ConnectionPool;
  readonly transferPool: ConnectionPool;
  readonly observer: HttpObserver;
  /** Time limit of one call without a file, or of the head of a download, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * Maximum time without data during a transfer, in milliseconds. For an upload, also the time from its end to the
   * response.
   */
  readonly transferIdleMs: number;
  readonly retries: number;
  readonly minTransferRate: TransferRate;
  readonly maxResponseBytes: number;
  readonly largeBodies: LargeBodies;
}

/** The response of a read: parsed JSON, or text if the call requested it. */
export interface UpstreamResponse {
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
  /** Length of the body in bytes. */
  readonly bytes: number;
  readonly request: string;
}

/** The response of a write. `body` is parsed JSON if the call requested it and succeeded, otherwise null. */
export interface WriteResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  readonly request: string;
}
