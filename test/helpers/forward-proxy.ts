import {
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type RequestListener,
} from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A forward proxy: CONNECT, and requests to http URLs. */
export interface ForwardProxy {
  readonly url: string;
  /** The targets of the tunnels and requests so far, `host:port`. */
  readonly targets: string[];
  /** The largest number of tunnels that were open at the same time. */
  readonly maxTunnels: () => number;
}

/** Answers a CONNECT instead of opening a tunnel. Returns false to open one. */
export type Refuse = (request: IncomingMessage, socket: Socket) => boolean;

/**
 * Starts the proxy. It ends with the test.
 *
 * @param tls if set, it is reached over TLS
 */
export async function startForwardProxy(
  refuse: Refuse = () => false,
  tls?: ServerOptions,
): Promise<ForwardProxy> {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  let open = 0;
  let most = 0;
  const forward: RequestListener = (request, response) => {
    const { method = '', headers, url = '' } = request;
    if (refuse(request, request.socket)) return;
    targets.push(new URL(url).host);
    delete headers['proxy-authorization'];
    const forwarded = sendRequest(url, { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    request.pipe(forwarded.on('error', () => response.destroy()));
  };
  const server = tls === undefined ? createServer(forward) : createTlsServer(tls, forward);
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    sockets.add(client.on('error', () => {}));
    if (refuse(request, client)) return;
    const { hostname, port } = new URL(`http://${request.url}`);
    targets.push(request.url ?? '');
    open += 1;
    most = Math.max(most, open);
    const service = connect({ host: hostname, port: Number(port) }, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(service).pipe(client);
    });
    sockets.add(service);
    service.on('error', () => client.destroy());
    service.on('close', () => client.destroy());
    client.on('close', () => {
      open -= 1;
      service.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const scheme = tls === undefined ? 'http' : 'https';
  return { url: `${scheme}://127.0.0.1:${port}`, targets, maxTunnels: () => most };
}

/** Refuses a tunnel without these credentials. */
export const requireCredentials =
  (user: string, password: string): Refuse =>
  ({ headers }, socket) => {
    const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    if (headers['proxy-authorization'] === expected) return false;
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
    return true;
  };
