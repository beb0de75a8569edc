import { once } from 'node:events';
import { Server, type RequestListener, type ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { listen, type ListenOptions } from '../../../src/server/http/listen.ts';
import { startGateway } from '../../helpers/gateway.ts';
import {
  openConnection,
  openRaw,
  queryBytes,
  type RawClient,
} from '../../helpers/raw-connection.ts';

const documentA = 'a'.repeat(24);
const documentB = 'b'.repeat(24);

const get = (path = '/'): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;

describe('bytes that are not HTTP', () => {
  it('get a status on a connection without a request', async () => {
    const client = await openRaw(await startGateway(), 'SSH-2.0-OpenSSH_9.7\r\n\r\n');
    await expect.poll(client.isClosed).toBe(true);
    expect(client.text()).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
  });

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

describe('requests of many clients at once', () => {
  const request = (path = '/'): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;

  /** Listens, and counts what arrives. */
  async function startCounting() {
    const arrived: string[] = [];
    let inIteration = 0;
    let maxInIteration = 0;
    const handler: RequestListener = (req, res) => {
      arrived.push(req.url!);
      if (inIteration === 0) setImmediate(() => (inIteration = 0));
      inIteration += 1;
      maxInIteration = Math.max(maxInIteration, inIteration);
      res.end();
    };
    const server = await listen(
      { handler, stopAccepting: () => {} },
      { host: '127.0.0.1', port: 0, requestTimeoutMs: 60_000 },
    );
    onTestFinished(() => void server.close(0));
    const clear = (): void => {
      arrived.length = 0;
      maxInIteration = 0;
    };
    return { url: server.url, arrived, clear, maxInIteration: () => maxInIteration };
  }

  /** Accepts 40 connections, and then writes 200 requests to each of them. */
  async function flood() {
    const server = await startCounting();
    const sockets = Array.from({ length: 40 }, () => openConnection(server.url));
    for (const socket of sockets) socket.write(request());
    await expect.poll(() => server.arrived.length).toBe(40); // all connections are accepted
    server.clear();
    for (const socket of sockets) socket.write(request().repeat(200));
    return server;
  }

  it('are read in several iterations of the event loop', async () => {
    const { arrived, maxInIteration } = await flood();
    await expect.poll(() => arrived.length).toBe(40 * 200);
    // The requests of the last connection that is read are read together.
    expect(maxInIteration()).toBeLessThan(256 + 200);
  });

  it('do not delay those of a new connection until all of them are read', async () => {
    const { url, arrived } = await flood();
    for (const path of ['/a', '/b', '/c']) openConnection(url).write(request(path));
    await expect.poll(() => arrived.length).toBe(40 * 200 + 3);
    const before = Math.max(...['/a', '/b', '/c'].map((path) => arrived.indexOf(path)));
    expect(before).toBeLessThan(40 * 100);
  });

  it('do not delay the request of a connection that is accepted after theirs', async () => {
    const { url, arrived } = await startCounting();
    for (let at = 0; at < 60; at += 1) openConnection(url).write(request().repeat(300));
    openConnection(url).write(request('/a'));
    await expect.poll(() => arrived.length).toBe(60 * 300 + 1);
    expect(arrived.indexOf('/a')).toBeLessThan(10 * 300);
  });

  it('are rejected in several iterations of the event loop if they are not valid HTTP', async () => {
    const { url, arrived } = await startCounting();
    const sockets = Array.from({ length: 600 }, () => openConnection(url));
    for (const socket of sockets) socket.write(request());
    await expect.poll(() => arrived.length).toBe(600); // all connections are accepted
    let [total, inIteration, maxInIteration] = [0, 0, 0];
    const { emit } = Server.prototype;
    const spy = vi.spyOn(Server.prototype, 'emit').mockImplementation(function (
      this: Server,
      event: string,
      ...args: unknown[]
    ) {
      if (event === 'clientError') {
        if (inIteration === 0) setImmediate(() => (inIteration = 0));
        inIteration += 1;
        total += 1;
        maxInIteration = Math.max(maxInIteration, inIteration);
      }
      return Reflect.apply(emit, this, [event, ...args]) as boolean;
    } as Server['emit']);
    onTestFinished(() => spy.mockRestore());
    for (const socket of sockets) socket.write('\0\r\n\r\n');
    await expect.poll(() => total).toBe(600);
    expect(maxInIteration).toBeLessThan(300);
  });
});

describe('bodies of many clients at once', () => {
  /** Sends the head and then the body on each connection. Returns the largest sum of `weigh` in one iteration. */
  async function flood(
    count: number,
    head: string,
    body: string,
    weigh: (chunk: Buffer) => number,
  ) {
    let inIteration = 0;
    let maxInIteration = 0;
    let total = 0;
    let requests = 0;
    const handler: RequestListener = (req) => {
      requests += 1;
      req.on('data', (chunk: Buffer) => {
        if (inIteration === 0) setImmediate(() => (inIteration = 0));
        inIteration += weigh(chunk);
        maxInIteration = Math.max(maxInIteration, inIteration);
        total += weigh(chunk);
      });
    };
    const server = await listen(
      { handler, stopAccepting: () => {} },
      { host: '127.0.0.1', port: 0, requestTimeoutMs: 60_000 },
    );
    onTestFinished(() => void server.close(0));
    const sockets = Array.from({ length: count }, () => openConnection(server.url));
    for (const socket of sockets) socket.write(`POST / HTTP/1.1\r\nhost: x\r\n${head}\r\n\r\n`);
    await expect.poll(() => requests).toBe(count); // all connections are accepted
    for (const socket of sockets) socket.write(body);
    return { total: () => total, maxInIteration: () => maxInIteration };
  }

  it('are read in several iterations of the event loop', async () => {
    const size = 400_000;
    const head = `content-length: ${size}`;
    const read = await flood(200, head, ' '.repeat(size), ({ length }) => length);
    await expect.poll(read.total).toBe(200 * size);
    // The chunk of the last connection that is read is read completely, and some were buffered in the iteration before.
    expect(read.maxInIteration()).toBeLessThan(9 * 2 ** 20);
  });

  it('are read in several iterations also if each chunk has one byte', async () => {
    const chunks = 20_000;
    const read = await flood(
      40,
      'transfer-encoding: chunked',
      '1\r\n \r\n'.repeat(chunks),
      ({ length }) => length,
    );
    await expect.poll(read.total).toBe(40 * chunks);
    // What Node reads of the last connection at once, 64 KiB, is read completely.
    expect(read.maxInIteration()).toBeLessThan(8 * 1024 + (64 * 1024) / 6);
  });

  const chunksPerRead = (64 * 1024) / 6;

  /** Listens, and counts the bytes and events of bodies until the request for `/a` arrives. */
  async function startUntilA() {
    const read = { bytes: 0, events: 0, bytesBefore: Number.NaN };
    const handler: RequestListener = (req, res) => {
      if (req.url === '/a') {
        read.bytesBefore = read.bytes;
        res.end();
      } else {
        req.on('data', (chunk: Buffer) => {
          read.bytes += chunk.length;
          read.events += 1;
        });
      }
    };
    const server = await listen(
      { handler, stopAccepting: () => {} },
      { host: '127.0.0.1', port: 0, requestTimeoutMs: 60_000 },
    );
    onTestFinished(() => void server.close(0));
    return { url: server.url, read };
  }
  const chunkedHead = 'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n';
  const ofOneByte = '1\r\n \r\n'.repeat(20_000);

  it('do not delay the request of a connection that is accepted after theirs', async () => {
    const { url, read } = await startUntilA();
    // Too little for one iteration, so that no connection has to be paused for its own sake.
    const body = ofOneByte.slice(0, 6 * 6000);
    for (let at = 0; at < 200; at += 1) openConnection(url).write(chunkedHead + body);
    openConnection(url).write(get('/a'));
    await expect.poll(() => read.bytesBefore).toBeLessThan(50 * 6000);
  });

  it('do not delay the first requests of connections that are accepted between theirs', async () => {
    const { url, read } = await startUntilA();
    const size = 400_000;
    const post = `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${size}\r\n\r\n${' '.repeat(size)}`;
    for (let at = 0; at < 300; at += 1) openConnection(url).write(at === 100 ? get('/a') : post);
    await expect.poll(() => read.bytesBefore).toBeLessThan(60 * size);
  });

  it.each([
    ['little', ofOneByte.slice(0, 6 * 6000), 60 * 6000],
    // Of each, an iteration reads 64 KiB at once, and then no other one.
    ['much', ofOneByte, 60 * chunksPerRead],
  ])('do not delay the first request of another client: %s', async (_size, body, maxBytes) => {
    const { url, read } = await startUntilA();
    for (let at = 0; at < 400; at += 1) {
      if (at === 100) openConnection(url, '127.0.0.2').write(get('/a'));
      else openConnection(url).write(chunkedHead + body);
    }
    await expect.poll(() => read.bytesBefore).toBeLessThan(maxBytes);
  });

  it('do not delay the request of a connection that has waited', async () => {
    const { url, read } = await startUntilA();
    const waiting = openConnection(url);
    waiting.write(get('/'));
    await once(waiting, 'connect');
    const sockets = Array.from({ length: 200 }, () => openConnection(url));
    for (const socket of sockets) socket.write(chunkedHead + ofOneByte);
    await expect.poll(() => read.bytes).toBeGreaterThan(100 * chunksPerRead);
    const before = read.bytes;
    waiting.write(get('/a'));
    await expect.poll(() => read.bytesBefore - before).toBeLessThan(40 * chunksPerRead);
  });

  it('are joined if they are small', async () => {
    const { url, read } = await startUntilA();
    const socket = openConnection(url);
    socket.write(`${chunkedHead}1\r\n \r\n`);
    await expect.poll(() => read.bytes).toBe(1);
    socket.write(ofOneByte);
    await expect.poll(() => read.bytes).toBe(20_001);
    expect(read.events).toBeLessThan(50);
  });
});

/** Listens, and answers requests to `/` when their bodies have arrived. */
async function startHolding(options: Partial<ListenOptions> = {}) {
  const held: ServerResponse[] = [];
  const handler: RequestListener = (req, res) => {
    if (req.url === '/') req.resume().once('end', () => res.end('ok'));
    else held.push(res);
  };
  const local = { host: '127.0.0.1', port: 0, requestTimeoutMs: 60_000 };
  const server = await listen({ handler, stopAccepting: () => {} }, { ...local, ...options });
  onTestFinished(() => void server.close(0));
  return { ...server, held };
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
    const client = await openRaw(await startHolding({ headersTimeoutMs: 100 }), bytes);
    await drip(client);
    expect(client.text()).toMatch(`HTTP/1.1 ${status}\r\n`);
  });
});

describe('more connections than allowed', () => {
  const isClosed = (client: RawClient): boolean => client.isClosed();
  const bodyHead = 'host: x\r\ncontent-length: 10\r\n\r\n';
  /** Starts a server with as many connections as it allows, each with these bytes. */
  async function startFull(maxConnections: number, bytes = '') {
    const full: unknown[] = [];
    const server = await startHolding({
      maxConnections,
      onLimit: (message, limits) => full.push({ message, ...limits }),
    });
    const clients: RawClient[] = [];
    const open = async (more = get()): Promise<RawClient> => {
      const client = await openRaw(server, more);
      clients.push(client);
      if (more === get()) await expect.poll(client.text).toMatch(/ok$/);
      return client;
    };
    for (let at = 0; at < maxConnections; at += 1) await open(bytes || get());
    return { ...server, full, clients, open };
  }

  it('close the one without a request for the longest time', async () => {
    const { clients, open } = await startFull(3);
    clients[0]!.socket.write(get());
    await expect.poll(clients[0]!.text).toMatch(/ok[^]*ok$/);
    await open();
    await expect.poll(() => clients.map(isClosed)).toEqual([false, true, false, false]);
    await open();
    await expect.poll(() => clients.map(isClosed)).toEqual([false, true, true, false, false]);
  });

  it('close those whose request is incomplete', async () => {
    const { clients, open } = await startFull(2, 'GET / HTTP/1.1\r\nx: ');
    await Promise.all([open(), open()]);
    await expect.poll(() => clients.map(isClosed)).toEqual([true, true, false, false]);
  });

  it('close no connection with a running request', async () => {
    const { clients, held, open } = await startFull(3, get('/held'));
    await expect.poll(() => held.length).toBe(3);
    const refused = await open('');
    await expect.poll(refused.isClosed).toBe(true);
    held[1]!.end('ok');
    await expect.poll(clients[1]!.text).toMatch(/ok$/);
    await open();
    await expect.poll(() => clients.map(isClosed)).toEqual([false, true, false, true, false]);
  });

  it('close those whose request body has stopped arriving, but none that is answered', async () => {
    const { clients, held, open } = await startFull(2, `POST / HTTP/1.1\r\n${bodyHead}x`);
    const [slow, stopped] = clients as [RawClient, RawClient];
    stopped.socket.write('y'.repeat(9));
    await expect.poll(stopped.text).toMatch(/ok$/);
    stopped.socket.write(get('/held'));
    await expect.poll(() => held.length).toBe(1);
    const answered = async (): Promise<boolean> => {
      const client = await open('');
      client.socket.write(get());
      await expect.poll(() => client.isClosed() || client.text() !== '').toBe(true);
      return client.text() !== '';
    };
    await expect.poll(answered).toBe(true);
    expect([slow, stopped].map(isClosed)).toEqual([true, false]);
  });

  it('are reported once, and again when they have gone in between', async () => {
    const { full, clients, open } = await startFull(4);
    expect(full).toEqual([]);
    await open();
    await open();
    const limits = {
      message: 'too many connections',
      maxConnections: 4,
      maxOpenFiles: expect.any(Number),
    };
    expect(full).toEqual([limits]);
    for (const { socket } of clients) socket.destroy();
    await expect.poll(() => clients.every(isClosed)).toBe(true);
    for (let count = 0; count < 5; count += 1) await open();
    expect(full).toEqual([limits, limits]);
  });
});

describe('a pipelined request', () => {
  it.each([
    ['a query', queryBytes(`{ document(id: "${documentB}") { state } }`)],
    ['a download', `GET /files/documents/${documentB}/fil-1 HTTP/1.1\r\nhost: x\r\n\r\n`],
  ])('is cancelled without a failure if the client disconnects: %s', async (_what, waiting) => {
    const gateway = await startGateway();
    gateway.dms.reply('GET', /docForm/, () => new Promise(() => {}));
    const first = queryBytes(`{ document(id: "${documentA}") { state } }`);
    const client = await openRaw(gateway, first + waiting);
    await expect.poll(() => gateway.dms.requests).toHaveLength(2);
    client.socket.destroy();
    const cancelled = { msg: 'request', outcome: 'CANCELLED' };
    await expect.poll(() => gateway.log).toMatchObject([cancelled, cancelled]);
  });
});

describe('close', () => {
  it.each([
    ['that has sent nothing', ''],
    ['that waits for its next request', queryBytes('{ __typename }')],
    ['with part of a request', 'POST /graphql HTTP/1.1\r\nhost:'],
  ])('does not wait for a connection %s', async (_what, bytes) => {
    const gateway = await startGateway();
    const client = await openRaw(gateway, bytes);
    if (bytes.includes('query')) await expect.poll(client.text).toContain('"Query"');
    else await gateway.query('{ __typename }');
    expect(await gateway.close(30_000)).toBe(true);
    await expect.poll(client.isClosed).toBe(true);
  });

  it('reports a request that it aborts', async () => {
    const gateway = await startGateway();
    gateway.dms.reply('GET', /docForm/, () => new Promise(() => {}));
    await openRaw(gateway, queryBytes(`{ document(id: "${documentA}") { state } }`));
    await expect.poll(() => gateway.dms.requests).toHaveLength(1);
    expect(await gateway.close(50)).toBe(false);
  });
});
