import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type * as Undici from 'undici';
import { hostOf } from '../../../model/common.ts';
import { loadUndici } from './undici.ts';

type Connect = Undici.buildConnector.connector;

export interface TunnelOptions {
  readonly connections: number;
  readonly timeoutMs: number;
}

class ProxyError extends Error {
  override readonly name = 'ProxyError';
}

/**
 * Returns a function that makes connections go through a proxy (CONNECT; RFC 9110, 9.3.6). TLS is spoken with the
 * service, inside the tunnel. `ProxyAgent` of undici would choose the pool and the certificates itself.
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
    username === '' && password === ''
      ? null
      : `Basic ${Buffer.from(credentials).toString('base64')}`;
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
      servername: hostOf(hostname), // otherwise the certificate of the proxy would need the name of the service
      signal,
    };
    pool.connect(request, (error, { statusCode, socket }) => {
      if (error !== null) {
        const problem = signal.aborted ? `no answer within ${timeoutMs} ms` : 'no connection';
        callback(new ProxyError(`${origin}: ${problem}`, { cause: error }), null);
        return;
      }
      const problem = problemOf(statusCode, socket);
      if (problem !== null) {
        socket.on('error', () => {}).destroy();
        callback(new ProxyError(`${origin}: ${problem}`), null);
        return;
      }
      // The types do not say that it is the socket of the connection.
      const tunnel = socket as Socket;
      if (protocol !== 'https:') {
        callback(null, tunnel);
        return;
      }
      connectService({ ...target, httpSocket: tunnel }, (...result) => {
        const [failure] = result;
        // The code stays: it says whether a certificate is the reason.
        if (failure !== null) failure.message = `in the tunnel of ${origin}: ${failure.message}`;
        callback(...result);
      });
    });
  };
}

function problemOf(statusCode: number, socket: Duplex): string | null {
  if (statusCode === 407) return 'status 407 to CONNECT, it requires other credentials';
  if (statusCode < 200 || statusCode > 299) return `status ${statusCode} to CONNECT`;
  // No service sends anything first. undici would close such a connection and open the next one at once, without end.
  return socket.readableLength > 0 ? 'data after its response to CONNECT' : null;
}
