import type { IncomingHttpHeaders } from 'node:http';
import { RestError } from './rest-error.ts';
import type { BufferedResponse } from './send-request.ts';
import type { HttpObserver } from './observer.ts';
import type { TransferRate } from './transfer/transfer-rate.ts';
import type { ConnectionPool, Transport } from './transport.ts';

/** What reads, writes and transfers share. */
export interface Upstream {
  readonly transport: Transport;
  readonly callPool: ConnectionPool;
  readonly transferPool: ConnectionPool;
  readonly observer: HttpObserver;
  /** Milliseconds for one call; for transfers the longest silence. */
  readonly timeoutMs: number;
  readonly retries: number;
  readonly minTransferRate: TransferRate;
  readonly maxResponseBytes: number;
}

/** The answer to a read: parsed JSON, or text where the call asked for it. */
export interface UpstreamResponse {
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
  /** Length of the body. */
  readonly bytes: number;
  readonly request: string;
}

/** The answer to a write: `body` is parsed JSON where the call wanted it and it succeeded, else null. */
export interface WriteResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  readonly request: string;
}

/** @throws {RestError} `UPSTREAM_ERROR` */
export function parseJson(request: string, { status, headers, body }: BufferedResponse): unknown {
  const text = body.toString();
  try {
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text) as unknown;
  } catch (cause) {
    const type = headers['content-type'] ?? 'no content type';
    throw new RestError('UPSTREAM_ERROR', request, {
      status,
      expected: 'JSON',
      got: `${body.length} bytes of ${type}`,
      cause,
    });
  }
}
