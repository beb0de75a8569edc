import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { parseRequestJson } from '../../../src/server/http/json-body.ts';
import type { Settings } from '../../../src/config/read-config.ts';
import { startGateway } from '../../helpers/gateway.ts';
import { heldBytes } from '../../helpers/held-bytes.ts';
import { collectText, openConnection } from '../../helpers/raw-connection.ts';

const kibibyte = 1024;
const mebibyte = 2 ** 20;

describe('JSON', () => {
  const listOf = (length: number, item: (n: number) => string): string =>
    `[${Array.from({ length }, (_, n) => item(n)).join()}]`;
  const parse = (text: string): unknown => parseRequestJson(Buffer.from(text), 'JSON');

  it.each([
    ['too many values', listOf(100_000, () => '[[]]'), 'JSON has too many values.'],
    ['too many values', listOf(100_000, () => '{}'), 'JSON has too many values.'],
    ['too many levels', '['.repeat(20_000), 'JSON must have at most 1000 levels of nesting.'],
    [
      'too many keys',
      `{${listOf(20_001, (n) => `"${n}":0`).slice(1, -1)}}`,
      'JSON must have at most 20000 keys.',
    ],
    [
      'too many keys in objects',
      listOf(20_001, (n) => `{"${n}":0}`),
      'JSON must have at most 20000 keys.',
    ],
  ])('is rejected before it is parsed if it has %s', (_what, text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  it.each([
    ['the largest table', listOf(10_000, () => listOf(10, () => '"1"'))],
    ['the largest object', `{${listOf(20_000, (n) => `"${n}":0`).slice(1, -1)}}`],
    ['brackets in texts', JSON.stringify([String.raw`[{,:\"`.repeat(100_000)])],
  ])('can be %s', (_what, text) => {
    expect(JSON.stringify(parse(text))).toBe(text);
  });
});

it.each(['`operations`', '`map`'])('%s has as few keys as JSON', async (name) => {
  const keys = Object.fromEntries(Array.from({ length: 20_001 }, (_, n) => [`k${n}`, null]));
  const gateway = await startGateway();
  const parts = [
    { name: 'operations', body: JSON.stringify(name === '`map`' ? { query: '{ x }' } : keys) },
    { name: 'map', body: JSON.stringify(keys) },
  ];
  const { status, errors } = await gateway.upload(parts);
  expect(status).toBe(400);
  expect(errors![0]!.message).toBe(`${name} must have at most 20000 keys.`);
});

const count = 12;
const size = 800_000;
const boundary = 'b';
const json = ['content-type: application/json'];
const multipartType = [`content-type: multipart/form-data; boundary=${boundary}`];
const preflight = 'apollo-require-preflight: 1';

const fieldHead = (name: string) =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n`;
const field = (name: string, value: unknown) =>
  `${fieldHead(name)}${JSON.stringify(value)}\r\n--${boundary}`;
const operations = (query = '{ x }', more: object = {}) =>
  field('operations', { query, variables: { file: null, ...more } });
const filler = ' '.repeat(size);
/** No connection is closed. */
const patient = { requestTimeoutMs: 120_000 };

interface Rejection {
  readonly name: string;
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
  readonly server?: Partial<Settings>;
}

const upload = [...multipartType, preflight];
const filledOperations = operations('{ x }', { text: filler });

/** Bodies of which the end is missing, by what rejects them. */
const rejections: readonly Rejection[] = [
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
    name: 'too many parts',
    status: 413,
    headers: upload,
    body: filledOperations + `\r\nA: b\r\n\r\nx\r\n--${boundary}`.repeat(50),
  },
];

/** Sends the same incomplete request on many connections. */
function sendMany(url: string, headers: readonly string[], body: string) {
  const head = [
    'POST /graphql HTTP/1.1',
    'host: x',
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

it.each(rejections)(
  'a body that is rejected before its end leaves nothing in memory $name',
  async ({ status, headers, body, server = {} }) => {
    const gateway = await startGateway({ server: { ...patient, ...server } });
    await gateway.query('{ __typename }'); // loads code
    const before = heldBytes();
    const sent = sendMany(gateway.url, headers, body);
    const answered = () => sent.filter(({ text }) => statusOf(text()) === status).length;
    await expect.poll(answered).toBe(count);
    await expect.poll(() => haveWritten(sent)).toBe(true);
    await expect
      .poll(() => heldBytes() - before)
      .toBeLessThan(count * 64 * kibibyte + 2 * mebibyte);
    expect(sent.filter(({ socket }) => socket.closed)).toEqual([]);
  },
);

it('a client that disconnects leaves nothing in memory', async () => {
  const gateway = await startGateway({ server: patient });
  await gateway.query('{ __typename }');
  const before = heldBytes();
  for (const headers of [json, upload]) {
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
