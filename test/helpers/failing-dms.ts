import { createServer } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';

/** Handles a request whose head has arrived. `nth` is counted from 1. */
export type Behaviour = (request: IncomingMessage, response: ServerResponse, nth: number) => void;

export interface FailingDms extends AsyncDisposable {
  readonly url: string;
  /** Requests whose head has arrived, in order: `PUT /api/v2/…`. */
  readonly requests: string[];
  /** Currently open sockets. */
  readonly openSockets: ReadonlySet<Socket>;
}

/**
 * Starts a server with the given behaviour, which is closed when the test ends.
 *
 * @param port default: any. A test that closes the server and expects nothing at its URL needs one of `freePort`
 * @param tls default: without TLS
 */
export async function startFailingDms(
  behave: Behaviour,
  port = 0,
  tls?: ServerOptions,
): Promise<FailingDms> {
  const dms = await openFailingDms(behave, port, tls);
  onTestFinished(() => dms[Symbol.asyncDispose]());
  return dms;
}

/** The same for several tests, which close it. */
export async function openFailingDms(
  behave: Behaviour,
  port = 0,
  tls?: ServerOptions,
): Promise<FailingDms> {
  const requests: string[] = [];
  const openSockets = new Set<Socket>();
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    requests.push(`${request.method} ${request.url}`);
    behave(request, response, requests.length);
  };
  const options = { keepAliveTimeout: 60_000 };
  const server =
    tls === undefined
      ? createServer(options, onRequest)
      : createTlsServer({ ...options, ...tls }, onRequest).on('tlsClientError', () => {});
  server.on('connection', (socket) => {
    openSockets.add(socket);
    socket.on('close', () => openSockets.delete(socket));
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${portOf(server.address())}`,
    requests,
    openSockets,
    async [Symbol.asyncDispose]() {
      for (const socket of openSockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** A base URL at which nothing listens. */
export async function refusingUrl(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`;
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address !== 'object' || address === null) throw new Error('not listening on a port');
  return address.port;
}

/** Resolves with the body of a request when it is complete. */
export async function wholeBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

export const misbehave = {
  /** Resets the connection without a response. */
  reset: (request) => {
    request.socket.resetAndDestroy();
  },
  /** Announces more than it sends, then resets the connection. */
  resetInBody: (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"_id":"64a0', () => request.socket.resetAndDestroy());
  },
  silence: () => {},
  /** Sends a byte now and then, without end. */
  drip: (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  },
  /** Sends an endless body as fast as it is read. */
  flood: (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const chunk = Buffer.alloc(64 * 1024, ' ');
    const pour = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', pour);
    pour();
  },
  /** Sends bytes that are not HTTP. */
  garbage: (request) => {
    request.socket.end('SSH-2.0-OpenSSH_9.7\r\n');
  },
} satisfies Record<string, Behaviour>;

/** A complete, valid response. */
export function respondWith(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Behaviour {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body);
  };
}
