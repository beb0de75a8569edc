import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** The parts of the gateway that the HTTP server uses. */
export interface GatewayHandler {
  readonly handler: RequestListener;
  /** The gateway is no longer ready and rejects new requests; running ones continue. */
  stopAccepting(): void;
}

/** Address and time limits of the HTTP server. */
export interface ListenOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Whether other processes listen on the same port. The kernel then distributes the connections. Default false. */
  readonly reusePort?: boolean;
  readonly requestTimeoutMs: number;
}

/** A running HTTP server. */
export interface ListeningServer {
  /** Base URL without a trailing slash. */
  readonly url: string;
  /**
   * Rejects new requests and waits for running ones, including file transfers. After `graceMs` it closes their
   * connections. Resolves with true if it closed none.
   */
  close(graceMs: number): Promise<boolean>;
}

const headersTimeoutMs = 30_000;
const keepAliveMs = 65_000; // longer than the usual 60 s of load balancers, so that they close idle connections first
const idleCheckMs = 25;

/** Listens on a port. Rejects if the port is not available. */
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
      requestTimeout: 0, // uploads have no total limit; other bodies have a limit of their own
    },
    handler,
  );
  // The limit for idle connections, which exceeds the time limit of an operation.
  server.timeout = requestTimeoutMs + 5000;
  server.on('clientError', rejectConnection);
  return server;
}

const reasons: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Responds to a request that is not valid HTTP or arrives too slowly. */
function rejectConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = reasons[error.code ?? ''] ?? '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
