import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { describe, expect, it, vi } from 'vitest';
import type { Download } from '../../../../src/model/document.ts';
import { Dms } from '../../../../src/rest/dms.ts';
import type { FileOptions } from '../../../../src/rest/resources/resource-context.ts';
import { HttpClient } from '../../../../src/rest/client/http-client.ts';
import type { HttpClientOptions } from '../../../../src/rest/client/http-client.ts';
import { respondWith, misbehave, startFailingDms } from '../../../helpers/failing-dms.ts';
import type { Behaviour, FailingDms } from '../../../helpers/failing-dms.ts';
import {
  createMockDms,
  dmsAt,
  testCaller,
  testDms,
  testHttpOptions,
  testBudget,
  type DmsOptions,
} from '../../../helpers/mock-dms.ts';
import { fakeTimers } from '../../../helpers/fake-timers.ts';
import { passable } from '../../../helpers/passable-clock.ts';

function open(
  server: Pick<FailingDms, 'url'>,
  { file = {}, ...options }: DmsOptions & { readonly file?: FileOptions } = {},
) {
  const dms = dmsAt(server, options);
  return { dms, opened: dms.documents.file('d1', 'f1', file) };
}

async function bytesOf({ body }: Download): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const content = Buffer.from(Array.from({ length: 300_000 }, (_, n) => n % 251));

const sendingFile: Behaviour = (_request, response) => {
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-disposition': "attachment; filename*=UTF-8''%D0%A1.pdf",
    'content-length': content.length,
    'content-encoding': 'identity',
    'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
    etag: '"v1"',
    'set-cookie': 'session=secret',
    'x-internal': 'secret',
  });
  response.end(content);
};

/**
 * Opens a download whose chunks the test sends, and that the test reads, by a fake clock. Further downloads receive the
 * whole file.
 */
async function openPaused(options: Partial<HttpClientOptions>) {
  const answered = Promise.withResolvers<ServerResponse>();
  const server = await startFailingDms((request, response, nth) => {
    if (nth > 1) return sendingFile(request, response, nth);
    response.flushHeaders();
    answered.resolve(response);
  });
  fakeTimers('performance', 'setTimeout');
  const { opened, dms } = open(server, { http: options, budget: { timeoutMs: 300 } });
  const reading = (await opened).body[Symbol.asyncIterator]();
  return { response: await answered.promise, next: () => reading.next(), dms };
}

describe('a download', () => {
  it('releases its connection if the response is not the file', async () => {
    const server = await startFailingDms((request, response, nth) => {
      if (nth === 1) response.writeHead(403).write('a body without end');
      else sendingFile(request, response, nth);
    });
    const { opened, dms } = open(server, {
      http: { transferConnections: 1, transferIdleMs: 90_000 },
    });
    await expect(opened).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await bytesOf(await dms.recognition.pdf('d1', {}))).length).toBe(content.length);
  });

  it.each(['text/html; charset=utf-8', 'application/xhtml+xml'])(
    'rejects a page of %s in its place',
    async (type) => {
      const mock = createMockDms();
      mock.reply('GET', /file/, '<html>', { headers: { 'content-type': type } });
      mock.reply('HEAD', /file/, '', { headers: { 'content-type': type } });
      for (const head of [false, true]) {
        await expect(testDms(mock).documents.file('d1', 'f1', { head })).rejects.toMatchObject({
          code: 'UPSTREAM_ERROR',
          status: 200,
          retryable: false,
        });
      }
      expect(mock.requests).toHaveLength(2);
    },
  );

  it.each([
    [200, {}, { 'content-disposition': 'attachment; filename="page.html"' }],
    [206, { conditions: { range: 'bytes=0-5' } }, { 'content-range': 'bytes 0-5/9' }],
  ])('accepts HTML as a file if declared, with %i', async (status, options, headers) => {
    const mock = createMockDms().reply('GET', /file/, '<html>', {
      status,
      headers: { 'content-type': 'text/html', ...headers },
    });
    const download = await testDms(mock).documents.file('d1', 'f1', options);
    expect((await bytesOf(download)).toString()).toBe('<html>');
  });

  it('is retried until its head arrives', async () => {
    const server = await startFailingDms((request, response, nth) => {
      if (nth === 1) misbehave.reset(request);
      else if (nth === 2) respondWith(503, '')(request, response, nth);
      else sendingFile(request, response, nth);
    });
    const { opened } = open(server, { http: { retries: 2 } });
    expect((await bytesOf(await opened)).length).toBe(content.length);
    expect(server.requests).toHaveLength(3);
  });

  it('can last longer than its operation, and pause for longer than a call', async () => {
    const { next, response } = await openPaused({ timeoutMs: 300, transferIdleMs: 1000 });
    for (let n = 0; n < 10; n += 1) {
      vi.advanceTimersByTime(900);
      response.write('x');
      expect((await next()).done).toBe(false);
    }
    response.end();
    expect((await next()).done).toBe(true);
  });

  it('ends for a client that reads too slowly', async () => {
    const server = await startFailingDms((request, response, nth) => {
      if (nth === 1) misbehave.flood(request, response);
      else sendingFile(request, response, nth);
    });
    const dms = dmsAt(server, {
      http: { transferConnections: 1, minTransferRate: { bytes: 2 ** 30, windowMs: 50 } },
    });
    const { body } = await dms.documents.file('d1', 'f1', {});
    const next = dms.documents.file('d1', 'f2', {});
    if (!(body instanceof Readable)) throw new Error('The body of a download is a stream.');
    const isFull = (): boolean =>
      body.destroyed || body.readableLength >= body.readableHighWaterMark;
    const pass = passable();
    pass.stopClock();
    const slowly = (async () => {
      for await (const _ of body) {
        await expect.poll(isFull).toBe(true);
        pass(5);
      }
    })();
    await expect(slowly).rejects.toMatchObject({
      code: 'CANCELLED',
      expected: 'a client that reads the file',
    });
    expect((await bytesOf(await next)).length).toBe(content.length);
  });

  it('ends for a client that ignores its last bytes', async () => {
    const server = await startFailingDms(respondWith(200, 'the whole file'));
    const minTransferRate = { bytes: 1000, windowMs: 50 };
    fakeTimers('setTimeout', 'performance');
    const { opened } = open(server, { http: { timeoutMs: 30, minTransferRate } });
    const { body } = await opened;
    if (!(body instanceof Readable)) throw new Error('The body of a download is a stream.');
    await expect.poll(() => body.readableLength).toBe('the whole file'.length);
    vi.advanceTimersByTime(30);
    expect(body.errored).toBeNull();
    vi.advanceTimersByTime(30);
    expect(body.errored).toMatchObject({ code: 'CANCELLED' });
  });

  it('continues for a slow service', async () => {
    const { next, response } = await openPaused({
      minTransferRate: { bytes: 2 ** 30, windowMs: 20 },
    });
    for (let n = 0; n < 9; n += 1) {
      vi.advanceTimersByTime(100);
      response.write('x');
      expect((await next()).done).toBe(false);
    }
    response.end();
    expect((await next()).done).toBe(true);
  });

  it('ends for a service that sends too slowly', async () => {
    const { next, response, dms } = await openPaused({
      timeoutMs: 1000,
      transferConnections: 1,
      minTransferRate: { bytes: 1000, windowMs: 50 },
    });
    const second = dms.documents.file('d1', 'f2', {});
    for (let n = 0; n < 9; n += 1) {
      vi.advanceTimersByTime(100);
      response.write('x');
      expect((await next()).done).toBe(false);
    }
    vi.advanceTimersByTime(100);
    response.write('x');
    await expect(next()).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT', retryable: true });
    expect((await bytesOf(await second)).length).toBe(content.length);
  });

  it('releases its slots', async () => {
    const server = await startFailingDms(sendingFile);
    const dms = dmsAt(server, { http: { transferConnections: 1 }, budget: { maxInFlight: 1 } });
    const received: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      const download = await dms.documents.file('d1', 'f1', {});
      if (n === 1) download.body.destroy();
      else received.push((await bytesOf(download)).length);
    }
    expect(received).toEqual([content.length, content.length]);
  });
});

it('releases the slot of an immediate failure', async () => {
  const controller = { abort() {}, pause() {}, resume() {} } as never;
  let failing = true;
  const dispatcher = {
    dispatch(_options: unknown, handler: Required<Dispatcher.DispatchHandler>) {
      setImmediate(() => {
        handler.onRequestStart(controller, {});
        handler.onResponseStart(controller, 200, {});
        if (failing) handler.onResponseError(controller, new Error('cut'));
        else handler.onResponseEnd(controller, {});
      });
      return true;
    },
  } as unknown as Dispatcher;
  const http = new HttpClient({ ...testHttpOptions, transferConnections: 1 }, {}, dispatcher);
  const dms = new Dms(http, testCaller(), testBudget({ maxInFlight: 1 }));
  await expect(bytesOf(await dms.documents.file('d1', 'f1', {}))).rejects.toThrow(
    'UPSTREAM_UNAVAILABLE',
  );
  failing = false;
  expect(await bytesOf(await dms.documents.file('d1', 'f2', {}))).toHaveLength(0);
});

it.each([404, 405, 501])('the head of a file uses GET if HEAD returns %i', async (status) => {
  const server = await startFailingDms((request, response, nth) => {
    if (request.method === 'HEAD') respondWith(status, '')(request, response, nth);
    else sendingFile(request, response, nth);
  });
  const { opened } = open(server, { file: { head: true } });
  const download = await opened;
  expect(download.headers['content-length']).toBe(String(content.length));
  expect((await bytesOf(download)).length).toBe(0);
  expect(server.requests.map((line) => line.split(' ')[0])).toEqual(['HEAD', 'GET']);
});
