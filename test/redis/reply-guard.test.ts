import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RedisConnection } from '../../src/redis/redis-connection.ts';
import { describeWithRedis, startRedis } from '../helpers/redis.ts';

/** Starts a server that answers each connection, and counts what the connections have taken. */
async function startServer(answer: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    answer(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  return { url: `redis://127.0.0.1:${port}`, sockets };
}

/** Connects to Redis; `changes` are the reasons why it cannot be used, and null when it can. */
function start(url: string) {
  const changes: (string | null)[] = [];
  const redis = new RedisConnection({
    url,
    maxWaitMs: 20_000,
    maxConnectMs: 60_000,
    checkMs: 50,
    onChange: (_isUp, reason) => changes.push(reason),
  });
  onTestFinished(() => redis.close());
  return { redis, changes };
}

/** Sends `text` forever, as fast as it is read. */
function sendForever(socket: Socket, text: string): void {
  const chunk = text.repeat(Math.ceil(65_536 / text.length));
  const send = (): void => {
    while (socket.writable && socket.write(chunk));
  };
  socket.on('drain', send);
  send();
}

describe('a reply', () => {
  it.each([
    ['a text of 1 GB', '$999999999\r\n', 'x'],
    ['an error of 1 GB', '!999999999\r\n', 'x'],
    ['a line without an end', '+', 'x'],
    ['a header without an end', '*', '1'],
    ['many texts', '*1000\r\n', `$9999\r\n${'x'.repeat(9999)}\r\n`],
    ['lists in lists', '', `*2\r\n:1\r\n`],
  ])('of %s closes its connection', async (_, head, endless) => {
    const { url, sockets } = await startServer((socket) => {
      socket.once('data', () => {
        socket.write(head);
        sendForever(socket, endless);
      });
    });
    const { changes } = start(url);
    await expect.poll(() => changes).toHaveLength(1);
    expect(changes[0]).toMatch(/invalid or too large reply|Maximum call stack/);
    for (const socket of sockets) {
      // What is on its way in the buffers of the kernel comes on top of the limit.
      expect(socket.bytesWritten - socket.writableLength).toBeLessThan(20 * 2 ** 20);
    }
  });

  it.each([
    '*33554431\r\n',
    '*1001\r\n',
    '~99999999\r\n',
    '%99999999\r\n',
    '>99999999\r\n',
    '*1\r\n*33554431\r\n',
    '+a\rX*33554431\r\n',
    '_ab*33554431\r\n',
    '#abc*33554431\r\n',
    '$-1X*33554431\r\n',
    '*:0000000\r\n',
    '*-9*33554431\r\n',
    '=1\r\n',
    '|1\r\n',
  ])('of %j is not read', async (reply) => {
    const { url } = await startServer((socket) => {
      socket.once('data', () => void socket.write(reply.repeat(40)));
    });
    const { changes } = start(url);
    await expect.poll(() => changes).toEqual(['Redis sent an invalid or too large reply']);
  });
});

describeWithRedis('valid replies', () => {
  it('are read, also in single bytes', async () => {
    const { port } = await startRedis();
    const proxy = await startServer((socket) => {
      const redis = connect(port, '127.0.0.1').setNoDelay(true);
      socket.setNoDelay(true).pipe(redis);
      socket.on('close', () => redis.destroy());
      redis.on('error', () => {});
      redis.on('data', (chunk: Buffer) => {
        for (const byte of chunk) socket.write(Buffer.from([byte]));
      });
    });
    const { redis, changes } = start(proxy.url);
    await expect.poll(() => changes).toEqual([null]);
    const value = '\r\n$5\r\n*1\r\n'.repeat(100);
    expect(await redis.run((commands) => commands.set('a', value))).toEqual({ value: 'OK' });
    expect(
      await redis.run((commands) => commands.multi().get('a').get('b').incr('c').exec()),
    ).toEqual({
      value: [
        [null, value],
        [null, null],
        [null, 1],
      ],
    });
    expect(changes).toEqual([null]);
  });

  it('of 3 MiB are read', async () => {
    const { url } = await startRedis();
    const { redis, changes } = start(url);
    await expect.poll(() => changes).toEqual([null]);
    const value = Buffer.alloc(3 * 2 ** 20, '\r\n');
    await redis.run((commands) => commands.set('a', value));
    const read = await redis.run((commands) => commands.getBuffer('a'));
    expect(read?.value?.equals(value)).toBe(true);
    expect(changes).toEqual([null]);
  });
});
