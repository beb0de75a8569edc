import { describe, expect, it, onTestFinished } from 'vitest';
import { listen, type ListenOptions } from '../../../src/server/http/listen.ts';
import { startGateway } from '../../helpers/gateway.ts';
import { openRaw, queryBytes, type RawClient } from '../../helpers/raw-connection.ts';

const documentA = 'a'.repeat(24);
const documentB = 'b'.repeat(24);

describe('bytes that are not HTTP', () => {
  it('do not answer a request that is still running', async () => {
    const gateway = await startGateway();
    gateway.dms.reply('GET', /docForm/, () => new Promise(() => {}));
    const client = await openRaw(gateway, queryBytes(`{ document(id: "${documentA}") { state } }`));
    await expect.poll(() => gateway.dms.requests).toHaveLength(1);
    client.socket.write('\0\0\r\n\r\n');
    await expect.poll(client.isClosed).toBe(true);
    expect(client.text()).toBe('');
    await expect.poll(() => gateway.log.at(-1)).toMatchObject({ outcome: 'CANCELLED' });
  });
});

/** Listens, and answers no request. */
async function startListening(options: Partial<ListenOptions>) {
  const local = { host: '127.0.0.1', port: 0, requestTimeoutMs: 60_000 };
  const server = await listen(
    { handler: () => {}, stopAccepting: () => {} },
    { ...local, ...options },
  );
  onTestFinished(() => void server.close(0));
  return server;
}

describe('the connection of a client that keeps its side open', () => {
  /** Sends a byte from time to time, and never ends. Resolves when the server has closed the connection. */
  async function drip(client: RawClient): Promise<void> {
    client.socket.allowHalfOpen = true;
    const timer = setInterval(() => client.socket.write('a'), 20);
    await expect.poll(client.isClosed).toBe(true);
    clearInterval(timer);
  }

  it.each([
    ['the head of its request arrives too slowly', 'GET / HTTP/1.1\r\nx: ', '408 Request Timeout'],
    ['it has sent no HTTP', 'SSH-2.0-OpenSSH_9.7\r\n', '400 Bad Request'],
    [
      'its head is too large',
      `GET / HTTP/1.1\r\nx: ${'a'.repeat(20_000)}`,
      '431 Request Header Fields Too Large',
    ],
  ])('is closed after an answer if %s', async (_what, bytes, status) => {
    const client = await openRaw(await startListening({ headersTimeoutMs: 100 }), bytes);
    await drip(client);
    expect(client.text()).toMatch(`HTTP/1.1 ${status}\r\n`);
  });
});

it.each([
  ['a query', queryBytes(`{ document(id: "${documentB}") { state } }`)],
  ['a download', `GET /files/documents/${documentB}/fil-1 HTTP/1.1\r\nhost: x\r\n\r\n`],
])(
  'a pipelined request is cancelled without a failure if the client disconnects: %s',
  async (_what, waiting) => {
    const gateway = await startGateway();
    gateway.dms.reply('GET', /docForm/, () => new Promise(() => {}));
    const first = queryBytes(`{ document(id: "${documentA}") { state } }`);
    const client = await openRaw(gateway, first + waiting);
    await expect.poll(() => gateway.dms.requests).toHaveLength(2);
    client.socket.destroy();
    const cancelled = { msg: 'request', outcome: 'CANCELLED' };
    await expect.poll(() => gateway.log).toMatchObject([cancelled, cancelled]);
  },
);

it.each([
  ['that has sent nothing', ''],
  ['that waits for its next request', queryBytes('{ __typename }')],
  ['with part of a request', 'POST /graphql HTTP/1.1\r\nhost:'],
])('close does not wait for a connection %s', async (_what, bytes) => {
  const gateway = await startGateway();
  const client = await openRaw(gateway, bytes);
  if (bytes.includes('query')) await expect.poll(client.text).toContain('"Query"');
  else await gateway.query('{ __typename }');
  expect(await gateway.close(30_000)).toBe(true);
  await expect.poll(client.isClosed).toBe(true);
});
