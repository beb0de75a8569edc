import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HttpExchange } from '../../../src/server/http/http-exchange.ts';
import { send } from '../../../src/server/http/respond.ts';
import { Pipeline } from '../../../src/server/http/pipeline.ts';
import {
  MemoryClaim,
  RequestMemory,
  requestBytes,
} from '../../../src/server/http/request-memory.ts';
import { startGateway } from '../../helpers/gateway.ts';
import { openConnection, collectText } from '../../helpers/raw-connection.ts';

/** More than the buffers of the system hold of one connection, which is at most 10 MiB. */
const body = Buffer.alloc(32 * 2 ** 20);

/** Starts a server of large responses. The path of a request names its caller. */
async function startServer(maxRequestBytes: number) {
  const memory = new RequestMemory({ requestTimeoutMs: 60_000, maxRequestBytes });
  const noLimits = { maxBytes: Infinity, maxMs: 60_000 };
  const server = createServer((req, res) => {
    const exchange = new HttpExchange(
      'other',
      req,
      res,
      new Pipeline(req.socket, memory, noLimits),
      () => {},
    );
    exchange.memory.moveTo(req.url ?? '');
    res.once('close', () => exchange.memory.release());
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
  const gateway = await startGateway({ server: { maxRequestBytes: 2 ** 20 } });
  const text = 'x'.repeat(3 * 2 ** 20);
  const valuesByTags = { a: text, b: text, c: text, d: text };
  gateway.dms.reply('GET', /docForm/, { _id: '5'.repeat(24), valuesByTags });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const headers = { 'content-type': 'application/json' };
  for (let times = 0; times < 3; times += 1) {
    const asking = request(`${gateway.url}/graphql`, { agent, method: 'POST', headers });
    asking.end(JSON.stringify({ query: '{ document(id: "D-1") { valuesByTags } }' }));
    const [response] = await once(asking, 'response');
    expect(await bytesIn(response)).toBeGreaterThan(4 * text.length);
  }
});

describe('a claim', () => {
  const memory = () => new RequestMemory({ requestTimeoutMs: 60_000, maxRequestBytes: 1000 });
  const rejected = expect.objectContaining({ status: 503, code: 'UPSTREAM_UNAVAILABLE' });

  it('leaves a quarter of the memory to other callers', () => {
    const shared = memory();
    new MemoryClaim(shared, 'ann').hold(750);
    expect(() => new MemoryClaim(shared, 'ann').hold(1)).toThrow(rejected);
    expect(() => new MemoryClaim(shared, 'ben').hold(187)).not.toThrow();
  });

  it('returns what it held', () => {
    const shared = memory();
    const first = new MemoryClaim(shared, 'ann');
    first.hold(700);
    first.release();
    expect(() => new MemoryClaim(shared, 'ann').hold(750)).not.toThrow();
  });

  it('holds nothing after it was released', () => {
    const shared = memory();
    const ended = new MemoryClaim(shared, 'ann');
    ended.hold(100);
    ended.release();
    ended.hold(700);
    expect(() => new MemoryClaim(shared, 'ann').hold(750)).not.toThrow();
  });

  it('holds nothing after it was rejected', () => {
    const shared = memory();
    const claim = new MemoryClaim(shared, 'ann');
    claim.hold(500);
    expect(() => claim.hold(800)).toThrow(rejected);
    expect(() => new MemoryClaim(shared, 'ann').hold(750)).not.toThrow();
  });

  it('counts for the caller to which it moves', () => {
    const shared = memory();
    new MemoryClaim(shared, 'ann').hold(700);
    const claim = new MemoryClaim(shared, '192.0.2.1');
    claim.hold(100);
    expect(() => claim.moveTo('ann')).toThrow(rejected);
  });

  it('ends what has waited longest without progress', () => {
    const shared = memory();
    const ended: string[] = [];
    const claims = ['first', 'second', 'third'].map((name) => {
      const claim = new MemoryClaim(shared, 'ann');
      claim.hold(200, () => ended.push(name));
      return claim;
    });
    claims[0]!.hold(210, () => ended.push('first'));
    new MemoryClaim(shared, 'ann').hold(300);
    expect(ended).toEqual(['second']);
  });

  it('ends what other callers hold only if they hold more', () => {
    const shared = memory();
    const ended: string[] = [];
    new MemoryClaim(shared, 'small').hold(100, () => ended.push('small'));
    for (const key of ['one', 'two', 'three']) {
      new MemoryClaim(shared, key).hold(200, () => ended.push(key));
    }
    new MemoryClaim(shared, 'running').hold(150);
    new MemoryClaim(shared, 'new').hold(130);
    expect(ended).toEqual(['one']);
    expect(() => new MemoryClaim(shared, 'running').hold(300)).toThrow(rejected);
  });
});

describe('a gateway without room', () => {
  const query = '{ document(id: "D-1") { state } }';
  /** Room for three requests of one caller. */
  const maxRequestBytes = 5 * requestBytes;
  const start = async (identity: 'service' | 'passthrough' = 'service') => {
    const gateway = await startGateway({
      server: { maxRequestBytes, identity: { mode: identity } },
    });
    const answers: (() => void)[] = [];
    gateway.dms.reply('GET', /docForm/, () => {
      const { promise, resolve } = Promise.withResolvers<object>();
      answers.push(() => resolve({ _id: '5'.repeat(24) }));
      return promise;
    });
    return { gateway, answers };
  };

  it('rejects further requests of a caller with 503 and Retry-After', async () => {
    const { gateway, answers } = await start();
    const ids = ['D-1', 'D-2', 'D-3'];
    const running = ids.map((id) => gateway.query(`{ document(id: "${id}") { state } }`));
    await expect.poll(() => answers).toHaveLength(3);
    const { status, headers, errors } = await gateway.query(query);
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('1');
    expect(errors?.[0]?.extensions['code']).toBe('UPSTREAM_UNAVAILABLE');
    expect((await gateway.fetch('/healthz')).status).toBe(200);
    for (const answer of answers) answer();
    await Promise.all(running);
    const later = gateway.query(query);
    await expect.poll(() => answers).toHaveLength(4);
    answers[3]!();
    expect((await later).status).toBe(200);
  });

  it('accepts a request of another caller', async () => {
    const { gateway, answers } = await start('passthrough');
    const as = (token: string) => gateway.query(query, {}, { authorization: `Bearer ${token}` });
    const running = [as('a'), as('a'), as('a'), as('a')];
    await expect.poll(async () => (await Promise.race(running)).status).toBe(503);
    const other = as('b');
    await expect.poll(() => answers).toHaveLength(2); // equal reads of one caller are sent once
    for (const answer of answers) answer();
    expect((await other).status).toBe(200);
  });
});

it('holds nothing for uploads whose clients have disconnected', async () => {
  const gateway = await startGateway({ server: { maxRequestBytes: 2 ** 20 } });
  const field = (name: string, value: unknown): string =>
    `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${JSON.stringify(value)}`;
  const operations = field('operations', { query: '', variables: { file: null } });
  const map = field('map', { 0: ['variables.file'] }); // without the boundary behind it
  const head = [
    'POST /graphql HTTP/1.1',
    'host: x',
    'apollo-require-preflight: 1',
    'content-type: multipart/form-data; boundary=b',
    'content-length: 1000000',
  ].join('\r\n');
  for (let count = 1; count <= 8; count += 1) {
    const socket = openConnection(gateway.url);
    socket.write(`${head}\r\n\r\n${operations}\r\n${map}`);
    await expect
      .poll(async () => (await gateway.metrics.text()).includes('requests_in_flight 1'))
      .toBe(true);
    socket.destroy();
    const requests = (): unknown[] => gateway.log.filter(({ msg }) => msg === 'request');
    await expect.poll(() => requests().length).toBe(count);
  }
  expect((await gateway.query('{ __typename }')).status).toBe(200);
});

describe('bodies that do not end', () => {
  const size = 100_000;
  const head =
    'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n' +
    `content-length: ${size + 1}\r\n\r\n`;

  it('are ended in favour of those that arrive', async () => {
    const gateway = await startGateway({ server: { maxRequestBytes: 5 * 2 * size } });
    const idle = Array.from({ length: 8 }, () => {
      const socket = openConnection(gateway.url);
      socket.write(head + ' '.repeat(size));
      return collectText(socket);
    });
    const isRejected = (text: () => string): boolean => text().startsWith('HTTP/1.1 503 ');
    await expect.poll(() => idle.filter(isRejected).length).toBeGreaterThanOrEqual(5);
    expect((await gateway.query('{ __typename }')).status).toBe(200);
    expect(idle.filter((text) => text() === '').length).toBeLessThanOrEqual(3);
    expect(gateway.log.filter(({ msg }) => msg === 'failure')).toEqual([]);
  });

  it('are ended in favour of those that arrive, as fields of an upload', async () => {
    const gateway = await startGateway({ server: { maxRequestBytes: 2 ** 20 } });
    const boundary = 'b';
    const field = `--b\r\ncontent-disposition: form-data; name="operations"\r\n\r\n${' '.repeat(size)}`;
    const multipartHead = [
      'POST /graphql HTTP/1.1',
      'host: x',
      'apollo-require-preflight: 1',
      `content-type: multipart/form-data; boundary=${boundary}`,
      'content-length: 1000000',
    ].join('\r\n');
    const texts = Array.from({ length: 8 }, () => {
      const socket = openConnection(gateway.url);
      socket.write(`${multipartHead}\r\n\r\n${field}`);
      return collectText(socket);
    });
    await expect
      .poll(() => texts.filter((text) => text().startsWith('HTTP/1.1 503 ')).length)
      .toBeGreaterThanOrEqual(5);
    expect((await gateway.query('{ __typename }')).status).toBe(200);
  });
});
