import { createPool, type TlsSource } from './connections.ts';
import { acceptEncoding } from './content-coding.ts';
import { TransportError } from './dispatch-handler.ts';
import { ImmediateBatch } from './immediate-batch.ts';
import { parseJson } from './body-text.ts';
import { sendRequest } from './send.ts';

export interface JsonUrlOptions {
  readonly accept: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly proxy?: string | null | undefined;
  readonly tls?: TlsSource | undefined;
}

export function createJsonReader(
  url: string,
  { accept, timeoutMs, maxBytes, proxy, tls }: JsonUrlOptions,
): () => Promise<unknown> {
  const { origin, pathname, search } = new URL(url);
  const options = { connections: 1, connectTimeout: timeoutMs, keepAlive: false, proxy, tls };
  const pool = createPool(origin, options);
  const headers = ['accept', accept, ...acceptEncoding([])];
  const outgoing = { origin, method: 'GET', path: pathname + search, headers } as const;
  const batch = new ImmediateBatch();
  return async () => {
    const options = { timeoutMs, maxBytes, batch };
    const response = await sendRequest(pool, outgoing, options).catch((error: unknown) => {
      throw reasonOf(error);
    });
    if (response.status !== 200) {
      throw new Error(`The URL responded with status ${response.status} instead of 200.`);
    }
    return parseJson(response.body);
  };
}

function reasonOf(error: unknown): unknown {
  if (!(error instanceof TransportError)) return error;
  return error.cause ?? new Error(`The URL sent no complete response: ${error.kind}.`);
}
