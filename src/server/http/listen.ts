import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** What the server needs of the gateway. */
export interface GatewayHandler {
  readonly handler: RequestListener;
  /** The gateway is no longer ready and rejects new requests; running ones continue. */
  stopAccepting(): void;
}

export interface ListenOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Whether other processes listen on the same port: the kernel distributes the connections. Default false. */
  readonly reusePort?: boolean;
  readonly requestTimeoutMs: number;
}

export interface ListeningServer {
  /** Without a slash at its end. */
  readonly url: string;
  /**
   * Takes no new requests and waits for those that run, files included; after `graceMs` their connections
   * are cut. Says whether none had to be.
   */
  close(graceMs: number): Promise<boolean>;
}

const headersTimeoutMs = 30_000;
const keepAliveMs = 65_000; // longer than the usual 60 s of load balancers, which then never meet a closed one
const idleCheckMs = 25;

/** Listens on a port. Rejects if the port cannot be had. */
export async function listen(
  gateway: GatewayHandler,
  options: ListenOptions,
): Promise<ListeningServer> {
  const server = createHttpServer(gateway.handler, options.requestTimeoutMs);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    const { host, port, reusePort = false } = options;
    server.listen({ host, port, reusePort }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;

  return {
    url: `http://${host}:${port}`,
    async close(graceMs) {
      gateway.stopAccepting();
      let clean = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
      const cut = setTimeout(() => {
        clean = false;
        server.closeAllConnections();
      }, graceMs);
      await closed;
      clearInterval(idle);
      clearTimeout(cut);
      return clean;
    },
  };
}

function createHttpServer(handler: RequestListener, requestTimeoutMs: number) {
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      keepAliveTimeout: keepAliveMs,
      requestTimeout: 0, // an upload may take its time; bodies that are read whole have their own limit
    },
    handler,
  );
  // A connection on which nothing moves: longer than the operation that it may be waiting for.
  server.timeout = requestTimeoutMs + 5000;
  server.on('clientError', rejectConnection);
  return server;
}

const reasons: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** What came is no HTTP, or not in time. */
function rejectConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = reasons[error.code ?? ''] ?? '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
