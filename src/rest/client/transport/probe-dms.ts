import { isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { hostOf, nodeCodeOf } from '../../../model/common.ts';
import { createPool, type TlsSource } from './connections.ts';
import { acceptEncoding } from './content-coding.ts';
import { TransportError } from './dispatch-handler.ts';
import { singleValue } from './header-values.ts';
import { ImmediateBatch } from './immediate-batch.ts';
import { sendRequest } from './send.ts';
import {
  certificateProblemIn,
  certificateProblems,
  describeCertificate,
  isClientCertificateAlert,
  isUntrustedError,
} from './tls.ts';
import { errors } from './undici.ts';

export interface DmsAnswer {
  /** Why the gateway cannot use the DMS, such as `ECONNREFUSED`. Null if it answers. */
  readonly reason: string | null;
  readonly certificate?: string;
  readonly date: string | null;
}

const maxMs = 5000;
const maxErrorBytes = 16 * 1024;

/**
 * Reads the base URL of a DMS on a connection of its own, without a credential, as /readyz does. With TLS 1.3 a server
 * rejects a missing client certificate only after the handshake of its client.
 */
export async function probeDms(
  baseUrl: string,
  tls?: TlsSource,
  proxy: string | null = null,
): Promise<DmsAnswer> {
  const url = new URL(baseUrl);
  const { origin, pathname } = url;
  const options = { connections: 1, connectTimeout: 2 * maxMs, keepAlive: false, tls, proxy };
  const pool = createPool(origin, options);
  const path = `${pathname.replace(/\/+$/, '')}/`;
  const headers = ['accept', '*/*', ...acceptEncoding([])];
  try {
    const {
      status,
      headers: answered,
      body,
    } = await sendRequest(
      pool,
      { origin, method: 'GET', path, headers },
      {
        timeoutMs: maxMs,
        maxBytes: maxErrorBytes,
        expectsBody: false,
        batch: new ImmediateBatch(),
      },
    );
    const reason = status === 400 ? reasonIn(body.toString('latin1')) : null;
    return { reason, date: singleValue(answered, 'date') };
  } catch (error) {
    const cause = error instanceof TransportError && error.kind !== 'timeout' ? error.cause : null;
    const reason = reasonOf(cause, tls?.hasClientCertificate ?? false);
    const certificate = isUntrustedError(cause) ? await certificateOf(url, tls, proxy) : null;
    return { reason, date: null, ...(certificate !== null && { certificate }) };
  } finally {
    pool.destroy().catch(() => {});
  }
}

async function openTunnel(proxy: string, { host, hostname, port, protocol }: URL): Promise<Socket> {
  const { createTunnel } = await import('./proxy-tunnel.ts');
  const through = createTunnel(proxy, { connections: 1, timeoutMs: maxMs });
  return new Promise((resolve, reject) => {
    const connect = through(({ httpSocket }, callback) => callback(null, httpSocket!));
    connect({ host, hostname, port, protocol }, (error, socket) => {
      if (error === null) resolve(socket);
      else reject(error);
    });
  });
}

function nameOf(hostname: string, { servername }: ConnectionOptions): ConnectionOptions {
  const host = hostOf(hostname);
  return { host, servername: servername || (isIP(host) === 0 ? host : '') };
}

function tlsOptions(tls: TlsSource | undefined): ConnectionOptions {
  return {
    ...(tls?.context !== undefined && { secureContext: tls.context }),
    ...(tls?.serverName != null && { servername: tls.serverName }),
  };
}

export async function certificateOf(
  url: URL,
  tls: TlsSource | undefined,
  proxy: string | null,
): Promise<string | null> {
  const tunnel = proxy === null ? undefined : await openTunnel(proxy, url).catch(() => null);
  if (tunnel === null) return null;
  const options = tlsOptions(tls);
  return new Promise((resolve) => {
    const target = { port: Number(url.port || 443), ...options, ...nameOf(url.hostname, options) };
    const socket = connectTls({ ...target, socket: tunnel, rejectUnauthorized: false }, () => {
      const certificate = socket.getPeerX509Certificate();
      resolve(certificate === undefined ? null : describeCertificate(certificate));
      socket.destroy();
    });
    socket.setTimeout(maxMs, () => socket.destroy());
    socket.on('error', () => {}).on('close', () => resolve(null));
  });
}

const notHttp = 'its answer is not HTTP/1.1';

/** The reason in a page of a proxy. Null in any other. Only that of nginx says whether a certificate was sent. */
function reasonIn(page: string): string | null {
  const problem = certificateProblemIn(page);
  return problem === null && /SSL certificate/i.test(page) ? certificateProblems.missing : problem;
}

const alerts: readonly (readonly [RegExp, string])[] = [
  [/alert handshake failure/, 'TLS handshake failure: it may require a client certificate'],
  [/no application protocol/, 'it speaks HTTP/2 only'],
];

function reasonOf(cause: unknown, hasClientCertificate: boolean): string {
  if (!(cause instanceof Error)) return `no answer within ${maxMs} ms`;
  if (isClientCertificateAlert(cause)) {
    return certificateProblems[hasClientCertificate ? 'rejected' : 'missing'];
  }
  const alert = alerts.find(([pattern]) => pattern.test(cause.message));
  if (alert !== undefined) return alert[1];
  if (cause.name === 'ProxyError') return proxyReasonOf(cause);
  if (cause instanceof errors.HTTPParserError) {
    const { data = '' } = cause as { readonly data?: string };
    // HTTP/2 begins with a frame of settings (type 4) for the connection (stream 0).
    const isHttp2 = data[3] === '\x04' && data.slice(5, 9) === '\0\0\0\0';
    return isHttp2 ? 'it speaks HTTP/2 only' : notHttp;
  }
  if (cause instanceof errors.HeadersOverflowError || cause.message === 'bad upgrade')
    return notHttp;
  if (cause instanceof errors.SocketError) return 'ECONNRESET';
  const code = nodeCodeOf(cause);
  return typeof code === 'string' ? code : cause.message;
}

function proxyReasonOf({ message, cause }: Error): string {
  const code = nodeCodeOf(cause);
  const reason = message.replace(/^.*?: /, 'proxy: ');
  return typeof code === 'string' ? `${reason} (${code})` : reason;
}
