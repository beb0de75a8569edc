import type { Dispatcher, Pool } from 'undici';

export interface Answer {
  readonly status: number;
  readonly bytes: number;
  readonly body: Buffer;
}

/**
 * Sends one request with undici's `dispatch`, the cheapest way: the machine's cores are shared with the measured
 * process.
 *
 * @param keep whether to keep the body, instead of its length only
 */
export function dispatchRequest(
  pool: Pool,
  options: Dispatcher.DispatchOptions,
  keep: boolean,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let status = 0;
    let bytes = 0;
    pool.dispatch(options, {
      onRequestStart() {},
      onResponseStart(_controller, statusCode) {
        status = statusCode;
      },
      onResponseData(_controller, chunk) {
        bytes += chunk.length;
        if (keep) chunks.push(Buffer.from(chunk));
      },
      onResponseEnd() {
        resolve({ status, bytes, body: Buffer.concat(chunks) });
      },
      onResponseError(_controller, error) {
        reject(error);
      },
    });
  });
}
