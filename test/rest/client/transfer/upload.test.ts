import { Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import type { UploadFile } from '../../../../src/model/document.ts';
import { Dms } from '../../../../src/rest/dms.ts';
import { HttpClient } from '../../../../src/rest/client/http-client.ts';
import {
  respondWith,
  misbehave,
  startFailingDms,
  wholeBody,
} from '../../../helpers/failing-dms.ts';
import type { Behaviour, FailingDms } from '../../../helpers/failing-dms.ts';
import {
  dmsAt,
  testBudget,
  testCaller,
  testHttpOptions,
  type DmsOptions,
} from '../../../helpers/mock-dms.ts';
import { fakeTimers } from '../../../helpers/fake-timers.ts';
import { passable } from '../../../helpers/passable-clock.ts';

const created = respondWith(201, '{"_id":"64a000000000000000000001"}');

/** A service that records complete bodies, and the sizes of incomplete ones. */
async function startReceiver(answer: Behaviour = created) {
  const whole: Buffer[] = [];
  const cut: number[] = [];
  const server = await startFailingDms((request, response, nth) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      whole.push(Buffer.concat(chunks));
      answer(request, response, nth);
    });
    request.on('error', () => cut.push(Buffer.concat(chunks).length));
  });
  return Object.assign(server, { whole, cut });
}

function upload(
  server: Pick<FailingDms, 'url'>,
  files: AsyncIterable<UploadFile>,
  options: DmsOptions = {},
) {
  const bytes: number[] = [];
  const http = new HttpClient(
    { ...testHttpOptions, baseUrl: server.url, ...options.http },
    { bytesMoved: (_direction, count) => bytes.push(count) },
  );
  const budget = testBudget(options.budget);
  const dms = new Dms(http, testCaller(), budget);
  const result = (async () => {
    try {
      return await dms.documents.create({ formName: 'inv' }, files);
    } finally {
      await http.close();
    }
  })();
  return { result, operation: budget, bytes };
}

function file(name: string, content: string | Uint8Array): UploadFile {
  return { name, open: () => Readable.from(content === '' ? [] : [Buffer.from(content)]) };
}

async function* given(...files: UploadFile[]): AsyncGenerator<UploadFile> {
  yield* files;
}

/** A file whose stream stalls after some bytes. */
function stallingFile(): UploadFile & { stream: Readable } {
  const stream = new Readable({ read() {} });
  stream.push(Buffer.alloc(1000));
  return { name: 'stalled', open: () => stream, stream };
}

/** A file without end. Each of its bytes takes 5 ms of the clock that `pass` advances. */
function drippingFile(pass: (ms: number) => void): UploadFile {
  const drip = async function* () {
    for (;;) {
      pass(5);
      yield Buffer.from('x');
    }
  };
  return { name: 'dripping', open: drip };
}

function* chunks(count: number, bytes: number): Generator<Buffer> {
  for (let n = 0; n < count; n += 1) yield Buffer.alloc(bytes);
}

interface Part {
  readonly head: string;
  readonly content: string;
}

function partsOf(body: Buffer): Part[] {
  const text = body.toString('latin1');
  const boundary = text.slice(0, text.indexOf('\r\n'));
  return text
    .split(boundary)
    .slice(1, -1)
    .map((part) => {
      const end = part.indexOf('\r\n\r\n');
      return {
        head: Buffer.from(part.slice(2, end), 'latin1').toString(),
        content: part.slice(end + 4, -2),
      };
    });
}

describe('an upload', () => {
  it('is not executed if its body is late', async () => {
    const source = stallingFile();
    const server = await startFailingDms(respondWith(408, ''));
    const { result } = upload(server, given(source));
    await expect(result).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      status: 408,
      retryable: false,
    });
    expect(source.stream.destroyed).toBe(true);
  });

  it('arrives complete with JSON parts first', async () => {
    await using server = await startReceiver();
    const binary = Buffer.from(Array.from({ length: 256 }, (_, n) => n));
    const { result, bytes } = upload(
      server,
      given(file('b', binary), file('a', ''), file('c', 'x')),
    );
    expect(await result).toMatchObject({ outcome: 'done' });
    const [body = Buffer.alloc(0)] = server.whole;
    expect(partsOf(body).map(({ content }) => content)).toEqual([
      '{}',
      binary.toString('latin1'),
      '',
      'x',
    ]);
    expect(partsOf(body)[1]?.head).toBe(
      'Content-Disposition: form-data; name="files"; filename="b"\r\n' +
        'Content-Type: application/octet-stream',
    );
    expect(bytes.reduce((sum, count) => sum + count)).toBe(body.length);
  });

  it('fails with the error of its file', async () => {
    await using server = await startReceiver();
    const tooBig = new Error('too big');
    const failing = Readable.from(
      (async function* () {
        yield Buffer.alloc(100_000);
        throw tooBig;
      })(),
    );
    const { result } = upload(server, given({ name: 'big', open: () => failing }));
    await expect(result).rejects.toBe(tooBig);
    await expect.poll(() => server.openSockets.size).toBe(0);
    expect(server.whole).toEqual([]);
  });

  it('ends when its client is too slow', async () => {
    await using server = await startReceiver();
    const pass = passable();
    pass.stopClock();
    const dms = dmsAt(server, {
      http: { transferConnections: 1, minTransferRate: { bytes: 100_000, windowMs: 50 } },
    });
    const dripping = dms.documents.create({ formName: 'inv' }, given(drippingFile(pass)));
    const next = dms.documents.create({ formName: 'inv' }, given(file('a', 'x')));
    await expect(dripping).rejects.toMatchObject({
      code: 'CANCELLED',
      expected: 'data of the file at the minimum rate',
      retryable: false,
    });
    expect(await next).toMatchObject({ outcome: 'done' });
    expect(server.whole).toHaveLength(1);
  });

  it('continues for a slow service', async () => {
    const taken = Promise.withResolvers<void>();
    const pass = passable();
    pass.stopClock();
    const server = await startFailingDms((request, response, nth) => {
      let bytes = 0;
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        pass(25); // at least 62 times, which takes longer than the window
      });
      request.on('end', () => {
        if (bytes > 4_000_000) taken.resolve();
        created(request, response, nth);
      });
    });
    const large = { name: 'large', open: () => Readable.from(chunks(64, 64 * 1024)) };
    const { result } = upload(server, given(large), {
      http: { minTransferRate: { bytes: 2 ** 40, windowMs: 1000 } },
    });
    expect(await result).toMatchObject({ outcome: 'done' });
    await taken.promise;
  });

  it('stops after an early rejection', async () => {
    const server = await startFailingDms((request, response) => {
      request.once('data', () => {
        response.writeHead(413, { 'x-error': 'too large' });
        response.end();
      });
    });
    const slow = stallingFile();
    expect(await upload(server, given(slow)).result).toEqual({
      outcome: 'rejected',
      message: 'too large',
    });
    expect(slow.stream.destroyed).toBe(true);
    await expect.poll(() => server.openSockets.size).toBe(0);
  });

  it('ignores a success before its end', async () => {
    const server = await startFailingDms((request, response, nth) => {
      request.once('data', () => created(request, response, nth));
    });
    await expect(upload(server, given(stallingFile())).result).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
    });
  });

  it('is not executed if it is cut before its end', async () => {
    const server = await startFailingDms((request) => {
      request.once('data', () => request.socket.resetAndDestroy());
    });
    const slow = stallingFile();
    await expect(upload(server, given(slow)).result).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      retryable: false,
    });
    expect(slow.stream.destroyed).toBe(true);
  });

  it('has an unknown outcome if its client then disconnects', async () => {
    const client = new AbortController();
    const server = await startFailingDms((request) => {
      void wholeBody(request).then(() => client.abort());
    });
    const { result } = upload(server, given(file('a', 'x')), {
      budget: { signal: client.signal },
    });
    await expect(result).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });

  it('extends the deadline of its operation', async () => {
    await using server = await startReceiver();
    fakeTimers('performance', 'setTimeout');
    const slowly = Readable.from(
      (function* () {
        for (let n = 0; n < 8; n += 1) {
          vi.advanceTimersByTime(50);
          yield Buffer.from('x');
        }
      })(),
    );
    const { result, operation: budget } = upload(
      server,
      given({ name: 'slow', open: () => slowly }),
      {
        budget: { timeoutMs: 300 },
      },
    );
    expect(await result).toMatchObject({ outcome: 'done' });
    expect(budget.endReason('GET /')).toBeNull();
  });

  it('opens no file if it is not sent', async () => {
    let opened = false;
    const files = given({ name: 'a', open: () => Readable.from([((opened = true), 'x')]) });
    const { result } = upload({ url: 'http://127.0.0.1:9' }, files, { budget: { maxCalls: 0 } });
    await expect(result).rejects.toMatchObject({ code: 'UPSTREAM_BUDGET_EXCEEDED' });
    expect(opened).toBe(false);
  });

  it('does not delay calls', async () => {
    const server = await startFailingDms((request, response, nth) => {
      if (request.method === 'GET') respondWith(200, '{"_id_sys":"usr-a"}')(request, response, nth);
      else misbehave.silence();
    });
    const client = new AbortController();
    const dms = dmsAt(server, {
      http: { transferConnections: 1 },
      budget: { signal: client.signal },
    });
    const first = dms.documents.create({ formName: 'inv' }, given(stallingFile()));
    const second = dms.documents.create({ formName: 'inv' }, given(stallingFile()));
    const outcomes = Promise.allSettled([first, second]);
    await expect.poll(() => server.requests.length).toBe(1);
    expect(await dms.persons.get('usr-a')).toMatchObject({ systemId: 'usr-a' });
    expect(server.requests).toHaveLength(2);
    client.abort();
    await outcomes;
  });
});
