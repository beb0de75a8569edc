import { once } from 'node:events';
import { createServer, maxHeaderSize, type RequestListener, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Settings } from '../../config/read-config.ts';

export interface GatewayHandler {
  readonly handler: RequestListener;
  stopAccepting(): void;
}

export interface ListenOptions extends Pick<Settings, 'host' | 'port' | 'requestTimeoutMs'> {
  readonly reusePort?: boolean;
  readonly headersTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  /** Called once, when a connection is closed because there are too many. */
  readonly onDrop?: (maxConnections: number) => void;
}

export type ListeningServer = Awaited<ReturnType<typeof listen>>;

const maxConnections = 10_000;
const maxHeaders = 100;
const maxHeadMs = 30_000;
const headCheckMs = 1000;
const lingerMs = 2000;
const keepAliveMs = 65_000; // longer than the usual 60 s of load balancers, so that they close idle connections first
const idleCheckMs = 25;
const delayStepMs = 10;
/** Connections that the kernel keeps until they are accepted. It drops others, which are retried after a second. */
const backlog = 4096;
const partialHeadMs = 1000;

export async function listen(gateway: GatewayHandler, options: ListenOptions) {
  const lastResponses = new Map<Socket, ServerResponse | null>();
  const server = createHttpServer(gateway.handler, options, lastResponses);
  const { reusePort = false } = options;
  server.listen({ host: options.host, port: options.port, reusePort, backlog });
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;

  return {
    url: `http://${host}:${port}`,
    /**
     * Rejects new requests and waits for running ones. After `graceMs` it closes their connections. Resolves with true
     * if it aborted no request. Until `delayMs` have passed, it accepts connections, to reject their requests.
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
        const withPartial = performance.now() > dropPartialAt;
        for (const [socket, last] of lastResponses) {
          if (!isBusy(last) && (withPartial || socket.bytesRead === 0)) socket.destroy();
        }
      };
      closeIdle();
      const idle = setInterval(closeIdle, idleCheckMs);
      const cut = setTimeout(
        () => {
          clean = !lastResponses.values().some(isBusy);
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
  {
    requestTimeoutMs,
    headersTimeoutMs = maxHeadMs,
    idleTimeoutMs = requestTimeoutMs + 5000, // longer than an operation
    onDrop,
  }: ListenOptions,
  lastResponses: Map<Socket, ServerResponse | null>,
) {
  const onRequest: RequestListener = (req, res) => {
    lastResponses.set(req.socket, res);
    handler(req, res);
  };
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: headCheckMs,
      joinDuplicateHeaders: true, // otherwise the first Host or Authorization counts, for a proxy possibly the last
      keepAliveTimeout: keepAliveMs,
      requestTimeout: 0, // uploads have no total limit; other bodies have the deadline of their request
      requireHostHeader: false, // the handler rejects it, within its limits
    },
    onRequest,
  );
  server.maxConnections = maxConnections;
  server.maxHeadersCount = maxHeaders;
  server.timeout = idleTimeoutMs;
  server.on('checkExpectation', onRequest);
  if (onDrop !== undefined) server.once('drop', () => onDrop(maxConnections));
  server.on('connection', (socket: Socket) => {
    lastResponses.set(socket, null);
    socket.once('close', () => lastResponses.delete(socket));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // During a response, the client would read the status as part of it, or as the response to another request.
    if (error.code === 'ECONNRESET' || isBusy(lastResponses.get(socket))) socket.destroy();
    else rejectConnection(error, socket);
  });
  return server;
}

function isBusy(lastResponse: ServerResponse | null | undefined): boolean {
  return lastResponse?.closed === false;
}

const reasons: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

const headerOverflowText = `A request can have ${maxHeaders} headers, and ${maxHeaderSize} bytes in its URL and headers. Send a long query in the body of a POST request, or paste it into an editor for GraphQL.\n`;

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
