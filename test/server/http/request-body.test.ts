import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { BodyBuffer, freeChunk } from '../../../src/server/http/body-buffer.ts';
import { parsedBytesOf, parseRequestJson } from '../../../src/server/http/json-body.ts';
import type { GatewayOptions } from '../../../src/server/options.ts';
import { startFailingDms } from '../../helpers/failing-dms.ts';
import { startGateway, startGatewayBefore } from '../../helpers/gateway.ts';
import { heldBytes } from '../../helpers/held-bytes.ts';
import { collectText, openConnection } from '../../helpers/raw-connection.ts';

const kibibyte = 1024;
const mebibyte = 2 ** 20;

describe('a buffer of a body', () => {
  const filled = (sizes: readonly number[]) => {
    const buffer = new BodyBuffer(mebibyte);
    for (const size of sizes) buffer.add(Buffer.alloc(size, size % 251));
    return buffer;
  };

  it('keeps a single chunk as it is', () => {
    const chunk = Buffer.from('a');
    const buffer = new BodyBuffer(10);
    expect(buffer.add(chunk)).toBe(true);
    expect(buffer.bytes.buffer).toBe(chunk.buffer);
  });

  it('joins chunks, in memory that grows with them', () => {
    const sizes = [1, 5000, 0, 70_000, 3, 200_000];
    const buffer = filled(sizes);
    const expected = Buffer.concat(sizes.map((size) => Buffer.alloc(size, size % 251)));
    expect(buffer.bytes.equals(expected)).toBe(true);
    expect(buffer.bytes.buffer.byteLength).toBeLessThan(expected.length + 64 * kibibyte);
  });

  it('copies chunks that others use', () => {
    const chunk = Buffer.from('abc');
    const buffer = new BodyBuffer(10);
    buffer.copy();
    expect(buffer.add(chunk)).toBe(false);
    chunk.fill('x');
    expect(String(buffer.bytes)).toBe('abc');
  });

  it('is empty after it was taken, and can be filled again', () => {
    const buffer = filled([10, 10]);
    const bytes = buffer.take();
    buffer.add(Buffer.from('a'));
    buffer.release();
    expect(bytes).toHaveLength(20);
    expect(buffer.bytes).toHaveLength(0);
  });

  it.each([[[100_000]], [[100_000, 1]]])('frees its memory at once: chunks of %j', (sizes) => {
    const buffer = filled(sizes);
    const { buffer: memory } = buffer.bytes;
    buffer.release();
    expect(memory).toMatchObject({ byteLength: 0, detached: true });
  });

  it('frees no chunk that is a part of others', () => {
    const shared = Buffer.alloc(20_000);
    freeChunk(shared.subarray(0, 10_000));
    expect(shared).toHaveLength(20_000);
  });
});

describe('JSON', () => {
  const size = 300_000;
  const listOf = (item: string): string =>
    `[${Array.from({ length: Math.floor(size / (item.length + 1)) }, () => item).join()}]`;
  const numbered = (item: (n: number) => string): string =>
    `[${Array.from({ length: 12_000 }, (_, n) => item(n)).join()}]`;
  const shapes: readonly [string, string][] = [
    ['texts', numbered((n) => `"${n.toString(36)}"`)],
    ['wide texts', numbered((n) => `"${String.fromCodePoint(256 + n)}"`)],
    ['numbers', listOf('0.5')],
    ['lists', numbered(() => '[[]]')],
    ['lists of numbers', numbered(() => '[0]')],
    ['objects', numbered(() => '{}')],
    ['lists of objects', numbered(() => '[{}]')],
    ['objects with different keys', numbered((n) => `{"${n.toString(36)}":0}`)],
    ['an object with many keys', `{${numbered((n) => `"${n.toString(36)}":{}`).slice(1, -1)}}`],
    ['rows of a table', numbered((n) => `["cell ${n}","b","c","12.5"]`)],
  ];
  it.each(shapes)('takes at most what is counted: %s', (_what, text) => {
    const bytes = Buffer.from(text);
    const before = heldBytes();
    const value = parseRequestJson(bytes, 'JSON');
    expect(heldBytes() - before).toBeLessThan(1.1 * parsedBytesOf(bytes, 'JSON'));
    expect(value).toBeTypeOf('object'); // it is still there
  });

  const rejected: readonly [string, string][] = [
    ['lists', '[[]]'],
    ['objects', '{}'],
  ];
  it.each(rejected)('is rejected before it is parsed if it has too many %s', (_what, item) => {
    const bytes = Buffer.from(`[${Array.from({ length: 100_000 }, () => item).join()}]`);
    expect(() => parsedBytesOf(bytes, 'JSON')).toThrow('JSON has too many values.');
  });

  it('can be the largest table', () => {
    const row = JSON.stringify(Array.from({ length: 10 }, () => '1'));
    const bytes = Buffer.from(`[${Array.from({ length: 10_000 }, () => row).join()}]`);
    expect(parsedBytesOf(bytes, 'JSON')).toBeGreaterThan(bytes.length);
  });

  it('counts no brackets in texts', () => {
    const text = (inside: string) => Buffer.from(`["${inside.repeat(1000)}"]`);
    const counted = parsedBytesOf(text(String.raw`[{,:\"`), 'JSON');
    expect(counted).toBe(parsedBytesOf(text('abcdef'), 'JSON'));
  });
});

const count = 30;
const size = 800_000;
const boundary = 'b';
const json = ['content-type: application/json'];
const multipart = [`content-type: multipart/form-data; boundary=${boundary}`];
const preflight = 'apollo-require-preflight: 1';

const fieldHead = (name: string) =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n`;
const field = (name: string, value: unknown) =>
  `${fieldHead(name)}${JSON.stringify(value)}\r\n--${boundary}`;
const operations = (query = '{ x }', more: object = {}) =>
  field('operations', { query, variables: { file: null, ...more } });
const map = field('map', { 0: ['variables.file'] }).replace(`--${boundary}`, '');
const filler = ' '.repeat(size);
/** Nothing is rejected and no connection is closed. */
const patient = { maxRequestBytes: 256 * mebibyte, requestTimeoutMs: 120_000 };

interface Rejection {
  readonly name: string;
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
  readonly server?: Partial<GatewayOptions>;
}

const upload = [...multipart, preflight];
const filledOperations = operations('{ x }', { text: filler });

/** Bodies of which the end is missing, by what rejects them. */
const rejections: readonly Rejection[] = [
  {
    name: 'a body of JSON, for want of memory',
    status: 503,
    headers: json,
    body: filler,
    server: { maxRequestBytes: mebibyte },
  },
  {
    name: '`operations`, for want of memory',
    status: 503,
    headers: upload,
    body: fieldHead('operations') + filler,
    server: { maxRequestBytes: mebibyte },
  },
  {
    name: '`map`, for want of memory',
    status: 503,
    headers: upload,
    body: `${operations()}\r\n${fieldHead('map').slice(boundary.length + 4)}${filler}`,
    server: { maxRequestBytes: mebibyte },
  },
  {
    name: 'a body of JSON that is too large',
    status: 413,
    headers: json,
    body: filler,
    server: { maxBodyBytes: size - 1000 },
  },
  {
    name: '`operations` that are too large',
    status: 413,
    headers: upload,
    body: fieldHead('operations') + filler,
    server: { maxBodyBytes: size - 1000 },
  },
  {
    name: 'a file without `map`',
    status: 400,
    headers: upload,
    body: `${filledOperations}\r\ncontent-disposition: form-data; name="0"; filename="a"\r\n\r\n${filler}`,
  },
  {
    name: '`operations` that are not JSON',
    status: 400,
    headers: upload,
    body: `${fieldHead('operations')}${filler}\r\n--${boundary}\r\n${filler}`,
  },
  {
    name: 'too many parts',
    status: 413,
    headers: upload,
    body: filledOperations + `\r\nA: b\r\n\r\nx\r\n--${boundary}`.repeat(50),
  },
  {
    name: 'an upload without a header against CSRF',
    status: 403,
    headers: multipart,
    body: fieldHead('operations') + filler,
  },
  {
    name: 'a body of JSON that is late',
    status: 408,
    headers: json,
    body: filler,
    server: { requestTimeoutMs: 3000 },
  },
  {
    name: '`operations` that are late',
    status: 408,
    headers: upload,
    body: fieldHead('operations') + filler,
    server: { requestTimeoutMs: 3000 },
  },
  {
    name: 'a body with an unknown charset',
    status: 415,
    headers: ['content-type: application/json; charset=latin1'],
    body: filler,
  },
  {
    name: 'a body with a wrong host',
    status: 421,
    headers: [...json, 'host: example.org'],
    body: filler,
  },
];

/** Sends the same incomplete request on many connections. */
function sendMany(url: string, headers: readonly string[], body: string) {
  const host = headers.some((header) => header.startsWith('host:')) ? [] : ['host: x'];
  const head = [
    'POST /graphql HTTP/1.1',
    ...host,
    ...headers,
    `content-length: ${body.length + 1000}`,
    '\r\n',
  ].join('\r\n');
  const bytes = Buffer.from(head + body);
  return Array.from({ length: count }, () => {
    const socket = openConnection(url);
    socket.write(bytes);
    return { socket, text: collectText(socket) };
  });
}

const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
const haveWritten = (sent: readonly { readonly socket: Socket }[]): boolean =>
  sent.every(({ socket }) => socket.writableLength === 0);

describe('a body that is rejected before its end leaves nothing in memory', () => {
  it.each(rejections)('$name', async ({ status, headers, body, server = {} }) => {
    const gateway = await startGateway({ server: { ...patient, ...server } });
    await gateway.query('{ __typename }'); // loads code
    const before = heldBytes();
    const sent = sendMany(gateway.url, headers, body);
    const answered = () => sent.filter(({ text }) => statusOf(text()) === status).length;
    // Without enough memory, those that arrive last wait for their end.
    await expect.poll(answered).toBeGreaterThanOrEqual(status === 503 ? count - 2 : count);
    await expect.poll(() => haveWritten(sent)).toBe(true);
    await expect
      .poll(() => heldBytes() - before)
      .toBeLessThan(count * 64 * kibibyte + 2 * mebibyte);
    // After 408, the rest is read for a limited time.
    if (status !== 408) expect(sent.filter(({ socket }) => socket.closed)).toEqual([]);
  });
});

describe('a small body', () => {
  it('counts what it takes when it is parsed', async () => {
    await using dms = await startFailingDms(() => {});
    const gateway = await startGatewayBefore(dms.url, {
      server: { ...patient, maxRequestBytes: mebibyte },
    });
    const objects = Array.from({ length: 3000 }, () => [{}]);
    const send = (n: number) =>
      gateway.query(`{ document(id: "D-${n}") { state } }`, { objects }).catch(() => null);
    const running = [send(1)];
    await expect.poll(() => dms.requests.length).toBe(1);
    expect(await Promise.race([send(2), send(3)])).toMatchObject({ status: 503 });
    await gateway.close();
    await Promise.all(running);
  });
});

describe('an upload that is answered before its end', () => {
  const lists = Array.from({ length: 40_000 }, () => []);
  const body = `${operations('{ x }', { lists })}\r\n${map.slice(boundary.length + 4)}--b\r\ncontent-disposition: form-data; name="0"; filename="a"\r\n\r\nabc`;

  it('counts until its connection closes, and is closed in favour of others', async () => {
    const maxRequestBytes = 16 * mebibyte;
    const gateway = await startGateway({ server: { ...patient, maxRequestBytes } });
    await gateway.query('{ __typename }');
    const before = heldBytes();
    const sent = sendMany(gateway.url, [...multipart, preflight], body);
    const answered = () => sent.filter(({ text }) => statusOf(text()) > 0 || Number.NaN).length;
    await expect
      .poll(() => sent.every(({ socket, text }) => socket.closed || text() !== ''))
      .toBe(true);
    expect(answered()).toBeGreaterThan(0);
    await expect.poll(() => heldBytes() - before).toBeLessThan(maxRequestBytes);
    expect((await gateway.query('{ __typename }')).status).toBe(200);
  });
});

describe('a body that nobody reads yet', () => {
  const chunks = '1\r\n \r\n'.repeat(10_000);
  const chunked = (path: string): string =>
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${chunks}`;

  it('takes little memory in chunks of one byte, behind other requests', async () => {
    await using dms = await startFailingDms(() => {});
    const gateway = await startGatewayBefore(dms.url, {
      server: patient,
      http: { timeoutMs: patient.requestTimeoutMs },
    });
    await gateway.query('{ __typename }');
    const before = heldBytes();
    const query = JSON.stringify({ query: '{ document(id: "D-1") { state } }' });
    const running = `POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${query.length}\r\n\r\n${query}`;
    for (let n = 0; n < count; n += 1) {
      openConnection(gateway.url).write(running.repeat(2) + chunked('/graphql'));
    }
    const areRunning = async (): Promise<boolean> =>
      (await gateway.metrics.text()).includes(`requests_in_flight ${2 * count}`);
    await expect.poll(areRunning).toBe(true);
    await expect.poll(() => heldBytes() - before).toBeLessThan(count * 256 * kibibyte);
    expect(await areRunning()).toBe(true);
  });
});

it('a client that disconnects leaves nothing in memory', async () => {
  const gateway = await startGateway({ server: patient });
  await gateway.query('{ __typename }');
  const before = heldBytes();
  for (const headers of [json, [...multipart, preflight]]) {
    const body = headers === json ? filler : fieldHead('operations') + filler;
    const sent = sendMany(gateway.url, headers, body);
    await expect.poll(() => haveWritten(sent)).toBe(true);
    await Promise.all(
      sent.map(({ socket }) => {
        socket.destroy();
        return once(socket, 'close');
      }),
    );
  }
  await expect
    .poll(async () => (await gateway.metrics.text()).includes('requests_in_flight 0'))
    .toBe(true);
  await expect.poll(() => heldBytes() - before).toBeLessThan(2 * mebibyte);
});
