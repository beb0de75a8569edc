import type { Socket } from 'node:net';
import type * as Undici from 'undici';
import { loadUndici } from './undici.ts';

type Connect = Undici.buildConnector.connector;

/** Limits of the connections to a proxy. */
export interface TunnelOptions {
  /** Maximum number of tunnels that are opened at the same time. */
  readonly connections: number;
  /** How long the proxy can take to open a tunnel, in milliseconds. */
  readonly timeoutMs: number;
}

/** A proxy that opened no tunnel. The message contains its address, without credentials. */
class ProxyError extends Error {
  override readonly name = 'ProxyError';
}

/**
 * Returns a function that makes connections go through a proxy (CONNECT; RFC 9110, 9.3.6). TLS is spoken with the service,
 * inside the tunnel. `ProxyAgent` of undici would choose the pool and the certificates itself.
 *
 * @param proxy its URL, optionally with credentials, which only the proxy receives
 */
export function createTunnel(
  proxy: string,
  { connections, timeoutMs }: TunnelOptions,
): (connect: Connect) => Connect {
  const { origin, hostname, username, password } = new URL(proxy);
  const { Pool, buildConnector } = loadUndici();
  const connect = buildConnector({ allowH2: false, timeout: timeoutMs });
  const pool = new Pool(origin, { connections, connect, allowH2: false, headersTimeout: 0 });
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization =
    username === '' ? null : `Basic ${Buffer.from(credentials).toString('base64')}`;
  return (connectService) => (target, callback) => {
    const { host = '', port, protocol } = target;
    const authority = port ? host : `${host}:${protocol === 'https:' ? 443 : 80}`;
    const signal = AbortSignal.timeout(timeoutMs);
    const request = {
      path: authority,
      headers: {
        host: authority,
        ...(authorization !== null && { 'proxy-authorization': authorization }),
      },
      servername: hostname, // otherwise the certificate of the proxy would need the name of the service
      signal,
    };
    pool.connect(request, (error, { statusCode, socket }) => {
      if (error !== null) {
        const problem = signal.aborted ? `no answer within ${timeoutMs} ms` : 'no connection';
        callback(new ProxyError(`${origin}: ${problem}`, { cause: error }), null);
        return;
      }
      if (statusCode < 200 || statusCode > 299) {
        socket.on('error', () => {}).destroy();
        const hint = statusCode === 407 ? ', it requires other credentials' : '';
        callback(new ProxyError(`${origin}: status ${statusCode} to CONNECT${hint}`), null);
        return;
      }
      // The types do not say that it is the socket of the connection.
      const tunnel = socket as Socket;
      if (protocol === 'https:') connectService({ ...target, httpSocket: tunnel }, callback);
      else callback(null, tunnel);
    });
  };
}
