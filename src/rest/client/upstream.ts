import type { IncomingHttpHeaders } from 'node:http';
import { RestError } from './rest-error.ts';
import type { BufferedResponse } from './send-request.ts';
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

/** Parses a JSON body; a byte order mark is ignored. @throws {RestError} `UPSTREAM_ERROR` if it is not JSON */
export function parseJson(request: string, { status, headers, body }: BufferedResponse): unknown {
  const text = body.toString();
  try {
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text) as unknown;
  } catch (cause) {
    const type = headers['content-type'] ?? 'no content type';
    const encoding = headers['content-encoding'];
    throw new RestError('UPSTREAM_ERROR', request, {
      status,
      expected: 'JSON',
      got: `${body.length} bytes of ${type}${encoding === undefined ? '' : ` with content-encoding ${encoding}`}`,
      cause,
    });
  }
}
