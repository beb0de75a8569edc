import { once } from 'node:events';
import { createServer, IncomingMessage, maxHeaderSize, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ByteBuffer } from '../../rest/index.ts';
import type { GatewayOptions } from '../options.ts';
import { runInImmediateBatch } from './immediate-batch.ts';
import { requestWeight } from './json-body.ts';
import { OpenConnections, type OpenConnectionsOptions } from './open-connections.ts';
import { ReadingTurns } from './reading-turns.ts';

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
/** When so many bytes of a body have arrived that nobody reads yet, its connection is paused. */
const maxUnreadBytes = 16 * 1024;
/** Smaller chunks of a body that arrive in one iteration are joined: each takes microseconds until it is used. */
const minChunkBytes = 1024;
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
