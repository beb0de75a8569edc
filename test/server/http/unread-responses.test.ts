import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { HttpExchange } from '../../../src/server/http/http-exchange.ts';
import { send } from '../../../src/server/http/respond.ts';
import { UnreadResponses } from '../../../src/server/http/unread-responses.ts';
import { startGateway } from '../../helpers/gateway.ts';

/** More than the buffers of the system hold of one connection, which is at most 10 MiB. */
const body = Buffer.alloc(32 * 2 ** 20);

/** Starts a server of large responses. The path of a request names its caller. */
async function startServer(maxUnreadBytes: number) {
  const unread = new UnreadResponses({ requestTimeoutMs: 60_000, maxUnreadBytes });
  const server = createServer((req, res) => {
    const exchange = new HttpExchange('other', req, res, unread);
    exchange.caller = { key: req.url ?? '', runAs: null, authorize: () => null };
    res.once('close', () => unread.remove(exchange));
    send(exchange, 200, {}, body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  /** Sends requests and waits for the first bytes of a response, which it does not read. */
  const open = async (caller: string, requests = 1): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => {});
    socket.write(`GET ${caller} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(requests));
    await once(socket, 'readable');
    return socket;
  };
  return open;
}

/** Reads a connection until it has `count` complete responses, or until it closes. Returns which. */
async function read(socket: Socket, count = 1): Promise<'complete' | 'closed'> {
  let bytes = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > count * body.length) return 'complete';
  }
  return 'closed';
}

async function bytesIn(stream: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0;
  for await (const chunk of stream) bytes += chunk.length;
  return bytes;
}

it('closes a connection of the caller with the most unread bytes', async () => {
  const open = await startServer(2.5 * body.length);
  const ofOne = [await open('/one'), await open('/one')];
  const ofOther = await open('/other');
  expect(await read(ofOther)).toBe('complete');
  expect((await Promise.all(ofOne.map((socket) => read(socket)))).toSorted()).toEqual([
    'closed',
    'complete',
  ]);
});

it('closes no other connection for pipelined requests of one', async () => {
  const open = await startServer(2.5 * body.length);
  const [other, pipelined] = [await open('/other'), await open('/one', 8)];
  expect(await read(pipelined, 8)).toBe('closed');
  expect(await read(other)).toBe('complete');
});

it('lets one response of any size wait', async () => {
  const open = await startServer(1);
  const socket = await open('/one');
  expect(await read(socket)).toBe('complete');
});

it('forgets responses that were read', async () => {
  const gateway = await startGateway({ server: { maxUnreadBytes: 1 } });
  const text = 'x'.repeat(12 * 2 ** 20);
  gateway.dms.reply('GET', /docForm/, { _id: '5'.repeat(24), valuesByTags: { t: text } });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const headers = { 'content-type': 'application/json' };
  for (let times = 0; times < 3; times += 1) {
    const asking = request(`${gateway.url}/graphql`, { agent, method: 'POST', headers });
    asking.end(JSON.stringify({ query: '{ document(id: "D-1") { valuesByTags } }' }));
    const [response] = await once(asking, 'response');
    expect(await bytesIn(response)).toBeGreaterThan(text.length);
  }
});
