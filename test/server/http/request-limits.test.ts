import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { RequestLimits } from '../../../src/server/http/http-exchange.ts';
import { startGateway, type TestGateway } from '../../helpers/gateway.ts';
import { createDocumentParts, multipart } from '../../helpers/multipart-request.ts';
import { collectText, openConnection, openRaw, queryBytes } from '../../helpers/raw-connection.ts';

const inFlight = async (gateway: TestGateway): Promise<number> =>
  Number(/requests_in_flight (\d+)/.exec(await gateway.metrics.text())?.[1]);

/** Starts a gateway whose DMS answers no call until the returned function is called. */
async function startHolding(server: object) {
  const gateway = await startGateway({ server, http: { connections: 64 } });
  const { promise, resolve } = Promise.withResolvers<object>();
  gateway.dms.reply('GET', /docForm/, () => promise);
  gateway.dms.reply('POST', /docForm/, () => promise);
  return { gateway, answer: () => resolve({ _id: '5'.repeat(24), _id_web: 'D-1' }) };
}

const query = '{ document(id: "D-1") { shortId } }';

describe('a request beyond MAX_REQUESTS', () => {
  it('gets 503 with Retry-After, unless it is a health check', async () => {
    const { gateway, answer } = await startHolding({ maxRequests: 2 });
    const running = [gateway.query(query), gateway.query(query)];
    await expect.poll(() => inFlight(gateway)).toBe(2);
    const { status, headers, errors } = await gateway.query(query);
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('1');
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]);
    for (const path of ['/metrics', '/nowhere', '/files/documents/a/b']) {
      expect((await gateway.fetch(path)).status).toBe(503);
    }
    expect((await gateway.fetch('/healthz')).status).toBe(200);
    answer();
    for (const { status: own } of await Promise.all(running)) expect(own).toBe(200);
    await expect.poll(async () => (await gateway.query(query)).status).toBe(200);
  });

  it.each([
    ['without a Host', 'GET /graphql HTTP/1.1\r\n\r\n', 400],
    ['with an unknown expectation', 'GET / HTTP/1.1\r\nhost: x\r\nexpect: x\r\n\r\n', 417],
  ])('gets it instead of what Node answers itself: %s', async (_what, bytes, status) => {
    const { gateway, answer } = await startHolding({ maxRequests: 1 });
    const client = await openRaw(gateway, bytes);
    await expect.poll(client.text).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*BAD_USER_INPUT`));
    await expect.poll(() => inFlight(gateway)).toBe(0);
    const running = gateway.query(query);
    await expect.poll(() => inFlight(gateway)).toBe(1);
    client.socket.write(bytes);
    await expect.poll(client.text).toMatch(/HTTP\/1.1 503 [^]*retry-after: 1/);
    answer();
    await running;
  });
});

it('request bodies that are read can have 128 MiB together', () => {
  const limits = new RequestLimits(1);
  const part = 2 ** 20;
  for (let count = 0; count < 128; count += 1) limits.addBody(part);
  expect(() => limits.addBody(1)).toThrow('too many requests');
  limits.removeBody(part);
  limits.addBody(part);
  expect(() => limits.addBody(1)).toThrow('too many requests');
});

it.each([
  [100, 404],
  [101, 431],
])('a request with %i headers gets %i', async (count, status) => {
  const gateway = await startGateway();
  const headers = Array.from({ length: count - 1 }, (_, n) => `a${n}: b\r\n`).join('');
  const client = await openRaw(gateway, `GET /nowhere HTTP/1.1\r\nhost: x\r\n${headers}\r\n`);
  await expect.poll(client.text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

describe('a connection that closes', () => {
  const held = queryBytes(query);
  const download = 'GET /files/documents/D-1/fil-1 HTTP/1.1\r\nhost: x\r\n\r\n';
  const healthz = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';
  const big = queryBytes(`${query}#${' '.repeat(100_000)}`);
  const upload = multipart(createDocumentParts([{ filename: 'a', body: 'x'.repeat(500_000) }]));
  const uploadHead = [
    'POST /graphql HTTP/1.1',
    'host: x',
    'content-type: multipart/form-data; boundary=test-boundary',
    'apollo-require-preflight: 1',
    `content-length: ${upload.length}`,
    '\r\n',
  ].join('\r\n');
  const early = held.replace('host: x', 'host: x\r\ncontent-encoding: gzip');

  const points: readonly [string, string, number][] = [
    ['within a head', 'POST /graphql HTTP/1.1\r\nhost: x\r\n', 0],
    ['before its body', held.slice(0, held.indexOf('\r\n\r\n') + 4), 1],
    ['within its body', held.slice(0, -5), 1],
    ['within a large body', big.slice(0, -5), 1],
    ['while its request runs', held, 1],
    ['while a download waits', download, 1],
    ['while pipelined requests run', held + held + held, 3],
    ['while pipelined requests of all kinds run', held + download + healthz + held, 4],
    ['while a pipelined body arrives', held + held + big.slice(0, -5), 3],
    ['while a pipelined request is early', held + early.slice(0, -5), 2],
    ['after an early response', early.slice(0, -5), 0],
    ['within `operations`', uploadHead + String(upload).slice(0, 150), 1],
    ['within a file', uploadHead + String(upload).slice(0, 200_000), 1],
    ['within a file, pipelined', held + uploadHead + String(upload).slice(0, 200_000), 2],
    ['after an upload', uploadHead + String(upload), 1],
    ['after bytes that are no HTTP', `${held}\0\0\r\n\r\n`, 0],
  ];
  it.each(points)('leaves nothing if it closes %s', async (_point, bytes, running) => {
    const maxRequests = 6;
    const { gateway, answer } = await startHolding({ maxRequests });
    for (const close of ['destroy', 'resetAndDestroy'] as const) {
      const socket = openConnection(gateway.url);
      const text = collectText(socket);
      await once(socket, 'connect');
      await new Promise((resolve) => socket.write(bytes, resolve));
      await expect.poll(() => inFlight(gateway)).toBe(running);
      if (bytes.startsWith(early.slice(0, 80))) await expect.poll(text).toContain(' 415 ');
      socket[close]();
      await expect.poll(() => socket.closed).toBe(true);
      await expect.poll(() => inFlight(gateway)).toBe(0);
    }
    // All places are free.
    const all = Array.from({ length: maxRequests }, () => gateway.query(query));
    await expect.poll(() => inFlight(gateway)).toBe(maxRequests);
    answer();
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual(all.map(() => 200));
    await expect.poll(() => inFlight(gateway)).toBe(0);
  });
});
