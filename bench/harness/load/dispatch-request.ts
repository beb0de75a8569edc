import type { Dispatcher, Pool } from 'undici';

export interface Answer {
  readonly status: number;
  readonly bytes: number;
  readonly body: Buffer;
}

/**
 * One request over the pool by its bare dispatch, the lightest there is: the machine's cores are shared with the
 * one that is measured.
 *
 * @param keep whether the body is wanted or only its length.
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
