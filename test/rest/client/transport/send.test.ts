import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Dispatcher, Pool } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ImmediateBatch } from '../../../../src/rest/client/transport/immediate-batch.ts';
import { RestError } from '../../../../src/rest/client/rest-error.ts';
import { sendRequest } from '../../../../src/rest/client/transport/send.ts';
import { openStream } from '../../../../src/rest/client/transfer/response-stream.ts';
import { minTransferRate } from '../../../../src/rest/client/transfer/transfers.ts';
import { Semaphore } from '../../../../src/rest/client/limits/semaphore.ts';

const decoders = { semaphore: new Semaphore({ capacity: 8 }), key: 'ann' };

const batch = new ImmediateBatch();

/** A dispatcher without free connections, until the test starts a request. */
class StuckDispatcher extends Dispatcher {
  handler: Dispatcher.DispatchHandler | undefined;
  abortedWith: Error | undefined;

  override dispatch(
    _options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    this.handler = handler;
    return true;
  }

  letStart(): void {
    this.handler?.onRequestStart?.(
      {
        aborted: false,
        paused: false,
        reason: null,
        abort: (reason) => {
          this.abortedWith = reason;
        },
        pause() {},
        resume() {},
      },
      null,
    );
  }
}

const outgoing = {
  origin: 'http://dms.test',
  method: 'GET',
  path: '/',
  headers: [] as string[],
} as const;

describe.each([
  [
    'an exchange',
    (dispatcher: Dispatcher, timeoutMs: number, signal: AbortSignal): Promise<unknown> =>
      sendRequest(dispatcher, outgoing, { timeoutMs, maxBytes: 10, batch, signal }),
  ],
  [
    'a stream',
    (dispatcher: Dispatcher, headMs: number, signal: AbortSignal): Promise<unknown> =>
      openStream(dispatcher, outgoing, {
        headMs,
        idleMs: headMs,
        acceptedCodings: [],
        minRate: minTransferRate,
        signal,
        decoders,
        toRestError: (fault) => fault,
        onBytes: () => {},
      }),
  ],
])('%s that waits for a connection', (_what, send) => {
  it('ends at once when cancelled and is never sent', async () => {
    const dispatcher = new StuckDispatcher();
    const controller = new AbortController();
    const sent = send(dispatcher, 60_000, controller.signal);
    controller.abort(new RestError('CANCELLED', 'GET /'));
    await expect(sent).rejects.toMatchObject({ kind: 'cancelled', sent: false });
    dispatcher.letStart();
    expect(dispatcher.abortedWith).toBeInstanceOf(Error);
  });

  it('ends at its time limit and is never sent', async () => {
    const dispatcher = new StuckDispatcher();
    const sent = send(dispatcher, 10, new AbortController().signal);
    await expect(sent).rejects.toMatchObject({ kind: 'timeout', sent: false });
    dispatcher.letStart();
    expect(dispatcher.abortedWith).toBeInstanceOf(Error);
  });
});

/** A server whose response arrives in chunks of one byte, all at once, and one long chunk after them. */
async function startDripping(length: number, last = ''): Promise<Pool> {
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const end = last === '' ? '' : `${last.length.toString(16)}\r\n${last}\r\n`;
      socket.write(`${'1\r\nx\r\n'.repeat(length)}${end}0\r\n\r\n`);
    });
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // A listening server has an address with a port.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(async () => {
    await pool.destroy();
    server.close();
  });
  return pool;
}

const length = 200_000;
const dripped = { ...outgoing, headers: [] };

describe('a response in chunks of one byte', () => {
  it('uses a small multiple of its length', async () => {
    const pool = await startDripping(length);
    const { body } = await sendRequest(pool, dripped, {
      timeoutMs: 5000,
      maxBytes: length,
      batch,
    });
    expect(body.equals(Buffer.alloc(length, 'x'))).toBe(true);
    expect(body.buffer.byteLength).toBeLessThanOrEqual(2 * length);
  });

  it('is streamed in fewer chunks, in their order', async () => {
    const last = 'y'.repeat(5000);
    const pool = await startDripping(length, last);
    const { body } = await openStream(pool, dripped, {
      headMs: 5000,
      idleMs: 5000,
      acceptedCodings: [],
      minRate: minTransferRate,
      signal: new AbortController().signal,
      decoders,
      toRestError: (fault) => fault,
      onBytes: () => {},
    });
    const chunks: Buffer[] = [];
    body.on('data', (chunk: Buffer) => chunks.push(chunk));
    await new Promise((resolve) => {
      body.once('end', resolve);
    });
    expect(Buffer.concat(chunks).toString()).toBe('x'.repeat(length) + last);
    expect(chunks.length).toBeLessThan(length / 100);
  });
});
