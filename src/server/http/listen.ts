import { once } from 'node:events';
import { createServer, IncomingMessage, maxHeaderSize, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connectionAccepted, runInImmediateBatch } from '../../rest/client/immediate-batch.ts';
import { ByteBuffer } from '../../rest/client/receive-body.ts';
import type { GatewayOptions } from '../options.ts';
import { requestWeight } from './json-body.ts';
import { OpenConnections, type OpenConnectionsOptions } from './open-connections.ts';

/** The parts of the gateway that the HTTP server uses. */
export interface GatewayHandler {
  readonly handler: RequestListener;
  /** The gateway is no longer ready and rejects new requests; running ones continue. */
  stopAccepting(): void;
}

/** Address, time limits and own responses of the HTTP server. */
export interface ListenOptions
  extends Pick<GatewayOptions, 'host' | 'port' | 'requestTimeoutMs'>, OpenConnectionsOptions {
  /** Whether other processes listen on the same port. The kernel then distributes the connections. Default false. */
  readonly reusePort?: boolean;
  /** Maximum time for the head of a request, in milliseconds. Default 30,000. */
  readonly headersTimeoutMs?: number;
}

/** A running HTTP server. */
export type ListeningServer = Awaited<ReturnType<typeof listen>>;

const maxHeadMs = 30_000;
/** How often the time of incomplete heads is checked, in milliseconds. */
const headCheckMs = 1000;
/** How long a client can still send after the answer to a request that is not valid HTTP, in milliseconds. */
const lingerMs = 2000;
const keepAliveMs = 65_000; // longer than the usual 60 s of load balancers, so that they close idle connections first
const idleCheckMs = 25;
const delayStepMs = 10;
/** When so many bytes of bodies have arrived in one iteration of the event loop, the rest is read in the next ones. */
const maxBytesPerIteration = 8 * 2 ** 20;
/** The connections of which more has arrived in one iteration, in bytes, are read in turns of their own. */
const maxBytesOfOne = maxBytesPerIteration / 16;
/** A request counts as so many bytes: at most 256 requests are read. */
const arrivalWeight = 32 * 1024;
/** A chunk of a body counts as so many bytes more, because it can be a single byte. */
const chunkWeight = 1024;
/** When so many bytes of a body have arrived that nobody reads yet, its connection is paused. */
const maxUnreadBytes = 16 * 1024;
/** Smaller chunks of a body that arrive in one iteration are joined: each takes microseconds until it is used. */
const minChunkBytes = 1024;
/** When reading has taken so long in one iteration, in milliseconds, the rest is read in the next ones. */
const maxReadMs = 20;
/** Maximum number of connections that are accepted before reading continues. */
const maxAcceptedInPause = 256;
/** Maximum number of paused connections that are read again in one iteration. */
const maxResumed = 128;
/** Connections that the kernel keeps until they are accepted. It drops others, which are retried after a second. */
const backlog = 4096;
/** Maximum time for the rest of a request head that has begun to arrive when the server stops, in milliseconds. */
const partialHeadMs = 1000;

/** Listens on a port. Rejects if the port is not available. */
export async function listen(gateway: GatewayHandler, options: ListenOptions) {
  const connections = new OpenConnections(options);
  const server = createHttpServer(gateway.handler, options, connections);
  const { reusePort = false } = options;
  server.listen({ host: options.host, port: options.port, reusePort, backlog });
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;

  return {
    /** Base URL without a trailing slash. */
    url: `http://${host}:${port}`,
    /**
     * Rejects new requests and waits for running ones, including file transfers. After `graceMs` it closes their
     * connections. Resolves with true if it aborted no request.
     *
     * It accepts connections and requests, to reject them, until `delayMs` have passed, at most `graceMs`. It then closes
     * connections without a request, and a second later those whose next request is incomplete.
     *
     * @param delayMs default 0
     */
    async close(graceMs: number, delayMs = 0): Promise<boolean> {
      gateway.stopAccepting();
      const cutAt = performance.now() + graceMs;
      await delayInSteps(Math.min(delayMs, graceMs));
      let clean = true;
      const dropPartialAt = performance.now() + partialHeadMs;
      const closed = once(server, 'close');
      server.close();
      const closeIdle = (): void => {
        server.closeIdleConnections(); // not those that have never sent anything
        connections.closeUnused(performance.now() > dropPartialAt);
      };
      closeIdle();
      const idle = setInterval(closeIdle, idleCheckMs);
      const cut = setTimeout(
        () => {
          clean = !connections.areBusy;
          server.closeAllConnections();
        },
        Math.max(0, cutAt - performance.now()),
      );
      await closed;
      clearInterval(idle);
      clearTimeout(cut);
      return clean;
    },
  };
}

/**
 * Waits in several steps: each is at least one iteration of the event loop, which accepts and reads. If the event loop
 * was blocked, a single step could end before the requests that arrived in the meantime are read.
 */
async function delayInSteps(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= delayStepMs) await delay(Math.min(left, delayStepMs));
}

/** The turns in which connections are read. */
class ReadingTurns {
  readonly #connections: OpenConnections;
  /** What has arrived in the current iteration of the event loop, in bytes. */
  #arrivedBytes = 0;
  /** Time of the first arrival in the current iteration. */
  #arrivedAt = 0;
  /** The connection of the last arrival in the current iteration, and what has arrived of it. */
  #current: Socket | null = null;
  #currentBytes = 0;
  #awaitsEnd = false;
  /** The open connections, the one that was read last at the end. */
  readonly #open = new Set<Socket>();
  /** Those that were not read yet. */
  readonly #unread = new Set<Socket>();
  /** The addresses of their clients while connections are paused, the one that was read last at the end. */
  readonly #addresses = new Set<string | undefined>();
  /** Those of which much arrived when they were read last. */
  readonly #busy = new Set<Socket>();
  /** Those that are read in later iterations. */
  readonly #paused = new Set<Socket>();
  #lastTurn = 0;
  /**
   * How many connections each turn reads in one iteration. The system does not return them in the order of their turn, so
   * there are only as many as could be read before: half as many if others had to be paused, otherwise twice as many.
   */
  readonly #turnSizes = [maxResumed, maxResumed, maxResumed];
  #isTurn = false;
  #isPausing = false;
  /** Whether connections were paused or accepted in the current iteration: others can wait to be accepted. */
  #mayAccept = false;
  /** Whether a connection was accepted in the current iteration, and in the one before. */
  #hasAccepted = false;
  #hadAccepted = false;
  /** Number of connections that were accepted since one was read. */
  #accepted = 0;

  constructor(connections: OpenConnections) {
    this.#connections = connections;
  }

  add(socket: Socket): void {
    this.#open.add(socket);
    this.#unread.add(socket);
    socket.once('close', () => {
      for (const set of [this.#open, this.#unread, this.#busy, this.#paused]) set.delete(socket);
    });
    // Reading the body of a request resumes the connection.
    socket.on('resume', () => {
      if (this.#paused.has(socket)) socket.pause();
    });
    const isAlone = this.#paused.size === 0 && !this.#hadAccepted;
    this.#hasAccepted = true;
    this.#awaitEnd();
    connectionAccepted();
    if (isAlone) return;
    this.#mayAccept = true;
    this.#accepted += 1;
    process.nextTick(() => this.#pause(socket)); // in this tick, Node resumes it
  }

  /** Records that a request has arrived, or the head of one that is rejected: parsing it takes as long. */
  requestArrived(socket: Socket): void {
    const isFirst = this.#unread.has(socket);
    this.#arrived(socket, arrivalWeight);
    // The requests of other new connections are read before the rest of this one. One of them can be a health check.
    if (isFirst && this.#paused.size > 0) this.#pause(socket);
    if (performance.now() - this.#arrivedAt > maxReadMs) this.#pauseAll();
  }

  /** Records that a chunk of a body has arrived. */
  chunkArrived(socket: Socket, bytes: number): void {
    this.#arrived(socket, bytes + chunkWeight);
  }

  #arrived(socket: Socket, bytes: number): void {
    this.#awaitEnd();
    if (this.#arrivedBytes === 0) this.#arrivedAt = performance.now();
    if (socket !== this.#current) {
      this.#current = socket;
      this.#currentBytes = 0;
      if (this.#unread.delete(socket) && this.#addresses.delete(socket.remoteAddress)) {
        this.#addresses.add(socket.remoteAddress);
      }
      this.#busy.delete(socket);
      if (this.#open.delete(socket)) this.#open.add(socket);
    }
    this.#arrivedBytes += bytes;
    this.#currentBytes += bytes;
    if (this.#currentBytes > maxBytesOfOne && this.#open.has(socket)) this.#busy.add(socket);
    if (this.#arrivedBytes >= maxBytesPerIteration) this.#pauseAll();
  }

  /**
   * Pauses all connections if much has arrived in this iteration. Node reads up to 2 MiB of each connection in one
   * iteration, which can be thousands of pipelined requests. Requests of other clients, such as health checks, would wait
   * until all of them are read.
   */
  #pauseAll(): void {
    this.#arrivedBytes = 0;
    this.#mayAccept = true;
    this.#isPausing = true;
    for (const socket of this.#connections.sockets) if (!socket.isPaused()) this.#pause(socket);
  }

  #pause(socket: Socket): void {
    socket.pause();
    this.#paused.add(socket);
  }

  #awaitEnd(): void {
    if (this.#awaitsEnd) return;
    this.#awaitsEnd = true;
    setImmediate(this.#iterationEnded);
  }

  readonly #iterationEnded = (): void => {
    this.#awaitsEnd = false;
    this.#arrivedBytes = 0;
    this.#current = null;
    this.#hadAccepted = this.#hasAccepted;
    this.#hasAccepted = false;
    if (this.#isTurn) {
      const size = this.#turnSizes[this.#lastTurn]! * (this.#isPausing ? 0.5 : 2);
      this.#turnSizes[this.#lastTurn] = Math.min(Math.max(1, size), maxResumed);
    }
    this.#isTurn = false;
    this.#isPausing = false;
    if (this.#paused.size === 0) this.#addresses.clear();
    if (this.#paused.size === 0 && !this.#hadAccepted) return;
    this.#awaitEnd();
    // One connection is accepted per iteration. That of a health check can be behind others, which are not read before.
    const mayAccept = this.#mayAccept && this.#accepted < maxAcceptedInPause;
    this.#mayAccept = false;
    if (mayAccept) return;
    this.#accepted = 0;
    this.#isTurn = true;
    for (const socket of this.#next()) {
      this.#paused.delete(socket);
      socket.resume();
    }
  };

  /**
   * Returns the connections that are read in the next iteration, in turn: new ones; others; and those of which much
   * arrives. So neither a new client nor one that sends little waits until the others have sent everything.
   */
  #next(): Socket[] {
    const turns = [
      () => this.#newOfEachAddress(),
      () => [...this.#open].filter((socket) => !this.#busy.has(socket)),
      () => [...this.#open].filter((socket) => this.#busy.has(socket)),
    ];
    for (let left = turns.length; left > 0; left -= 1) {
      this.#lastTurn = (this.#lastTurn + 1) % turns.length;
      const sockets = turns[this.#lastTurn]!().filter((socket) => this.#paused.has(socket));
      if (sockets.length > 0) return sockets.slice(0, this.#turnSizes[this.#lastTurn]);
    }
    return [];
  }

  /** New connections: first the newest of each client, in turn, so that a health check does not wait for other clients. */
  #newOfEachAddress(): readonly Socket[] {
    const newest = new Map(Array.from(this.#unread, (socket) => [socket.remoteAddress, socket]));
    for (const address of this.#addresses)
      if (!newest.has(address)) this.#addresses.delete(address);
    for (const address of newest.keys()) this.#addresses.add(address);
    const first = Array.from(this.#addresses, (address) => newest.get(address)!);
    return [...new Set([...first, ...[...this.#unread].toReversed()])];
  }
}

function createHttpServer(
  handler: RequestListener,
  { requestTimeoutMs, headersTimeoutMs = maxHeadMs }: ListenOptions,
  connections: OpenConnections,
) {
  const turns = new ReadingTurns(connections);
  class CountedMessage extends IncomingMessage {
    /** The part of the body that has arrived although nobody reads it yet, or that is joined. */
    #unread: ByteBuffer | null = null;

    override push(chunk: Buffer | null): boolean {
      if (chunk !== null) {
        turns.chunkArrived(this.socket, chunk.length);
        // Node would keep each chunk separately, with 300 bytes for a single one.
        if (this.readableFlowing === null) return this.#keepUnread(chunk);
        if (chunk.length < minChunkBytes) {
          if (this.#unread === null) setImmediate(this.#pushUnread);
          return this.#keepUnread(chunk);
        }
      }
      this.#pushUnread();
      return super.push(chunk);
    }
    override _read(size: number): void {
      this.#pushUnread();
      super._read(size);
    }
    #keepUnread(chunk: Buffer): boolean {
      this.#unread ??= new ByteBuffer();
      this.#unread.add(chunk);
      return this.#unread.length + this.readableLength < maxUnreadBytes;
    }
    readonly #pushUnread = (): void => {
      const unread = this.#unread;
      this.#unread = null;
      if (unread !== null) super.push(unread.take());
    };
    /**
     * If a connection closes, Node destroys its requests with an error. Nothing listens to those that have not started. For
     * each of them, the events and the stack trace of the error would take 20 µs.
     */
    override destroy(error?: NodeJS.ErrnoException): this {
      const isUnused = error?.code === 'ECONNRESET' && this.listenerCount('close') === 0;
      return isUnused ? this : super.destroy(error);
    }
  }
  const server = createServer(
    {
      IncomingMessage: CountedMessage,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: headCheckMs,
      joinDuplicateHeaders: true, // otherwise the first Host or Authorization counts, for a proxy possibly the last
      keepAliveTimeout: keepAliveMs,
      requestTimeout: 0, // uploads have no total limit; other bodies have a limit of their own
    },
    (req, res) => {
      connections.requestArrived(req.socket, res);
      turns.requestArrived(req.socket);
      handler(req, res);
    },
  );
  // The limit for idle connections, which exceeds the time limit of an operation.
  server.timeout = requestTimeoutMs + 5000;
  server.on('connection', (socket) => {
    if (connections.add(socket)) turns.add(socket);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    turns.requestArrived(socket);
    if (error.code === 'ECONNRESET') socket.destroy();
    // The time of thousands of heads can end at once.
    else {
      runInImmediateBatch(() => {
        // The client would read the status as part of the running response, or as the response to another request.
        if (connections.isBusy(socket)) socket.destroy();
        else rejectConnection(error, socket);
      }, requestWeight);
    }
  });
  return server;
}

const reasons: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** The text of 431, which a browser shows for a link with a long query. ASCII. */
const headerOverflowText = `The URL and the headers of a request can have ${maxHeaderSize} bytes in total. Send a long query in the body of a POST request, or paste it into an editor for GraphQL.\n`;

/** Responds to a request that is not valid HTTP or arrives too slowly. */
function rejectConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (socket.writableEnded) return; // what still arrives is discarded
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const status = reasons[error.code ?? ''] ?? '400 Bad Request';
  const text = error.code === 'HPE_HEADER_OVERFLOW' ? headerOverflowText : '';
  const headers = [
    'connection: close',
    'content-type: text/plain; charset=utf-8',
    `content-length: ${text.length}`,
  ];
  socket.end(`HTTP/1.1 ${status}\r\n${headers.join('\r\n')}\r\n\r\n${text}`);
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer));
}
