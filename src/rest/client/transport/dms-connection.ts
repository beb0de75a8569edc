import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { hostOf, messageOf, nodeCodeOf } from '../../../model/common.ts';
import { describeCertificate } from './certificate.ts';
import type { TlsSource } from './connections.ts';
import {
  certificateProblemIn,
  certificateProblems,
  isClientCertificateAlert,
  isUntrustedError,
} from './tls-errors.ts';

/** What a DMS answers to a request that needs no credential. */
export interface DmsAnswer {
  /** Why the gateway cannot use the DMS, such as `ECONNREFUSED`. Null if it answers. */
  readonly reason: string | null;
  /** Subject and last day of the certificate of the DMS, if that is not trusted. */
  readonly certificate?: string;
  /** Its `Date` header. */
  readonly date: string | undefined;
}

const maxMs = 5000;
const maxErrorBytes = 16 * 1024;

/**
 * Opens a connection to a DMS, and reads its base URL without a credential, as /readyz does. With TLS 1.3 a server
 * rejects a missing client certificate only after the handshake of its client.
 */
export async function openDms(
  baseUrl: string,
  tls?: TlsSource,
  proxy: string | null = null,
): Promise<DmsAnswer> {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/`;
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  let tunnel: Socket | null;
  try {
    tunnel = proxy === null ? null : await openTunnel(proxy, url);
  } catch (error) {
    return { reason: messageOf(error), date: undefined };
  }
  const options = {
    ...(tunnel === null
      ? { agent: false as const }
      : { createConnection: (given: object) => connectIn(tunnel, url, given) }),
    headers: { accept: '*/*', 'accept-encoding': 'identity' },
    ALPNProtocols: ['http/1.1'],
    signal: AbortSignal.timeout(maxMs),
    ...tlsOptions(tls),
  };
  let isUntrusted = false;
  const answer = await new Promise<DmsAnswer>((resolve) => {
    const request = send(url, options, (response) => {
      const { date } = response.headers;
      let text = '';
      const end = (): void => {
        resolve({ reason: reasonIn(text), date });
        request.destroy();
      };
      if (response.statusCode !== 400) {
        end();
        return;
      }
      response.setEncoding('latin1').on('data', (chunk: string) => {
        text += chunk;
        if (text.length > maxErrorBytes) end();
      });
      response.on('end', end).on('error', end);
    });
    const fail = (reason: string): void => resolve({ reason, date: undefined });
    request.on('error', (error) => {
      isUntrusted = isUntrustedError(error);
      fail(reasonOf(error, tls?.hasClientCertificate ?? false));
    });
    request.on('close', () => fail(notHttp)); // of an upgrade, Node reports nothing else
    request.end();
  });
  const certificate = isUntrusted ? await certificateOf(url, tls, proxy) : null;
  return certificate === null ? answer : { ...answer, certificate };
}

/** Opens a tunnel as the gateway does. @throws {Error} whose message begins with `proxy: ` */
async function openTunnel(proxy: string, { host, hostname, port, protocol }: URL): Promise<Socket> {
  const { createTunnel } = await import('./proxy-tunnel.ts');
  const through = createTunnel(proxy, { connections: 1, timeoutMs: maxMs });
  return new Promise((resolve, reject) => {
    const connect = through(({ httpSocket }, callback) => callback(null, httpSocket!));
    connect({ host, hostname, port, protocol }, (error, socket) => {
      if (error === null) return resolve(socket);
      const code = nodeCodeOf(error.cause);
      const reason = error.message.replace(new URL(proxy).origin, 'proxy');
      reject(new Error(typeof code === 'string' ? `${reason} (${code})` : reason));
    });
  });
}

function connectIn(tunnel: Socket, { protocol, hostname }: URL, options: ConnectionOptions) {
  if (protocol === 'http:') return tunnel;
  return connectTls({ ...options, ...nameOf(hostname, options), socket: tunnel });
}

/** The name in the certificate. An address is no server name of TLS. */
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

/** Subject and last day of the certificate of a service. Null if there is none. Sends nothing else. */
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

/** Reasons by the alert of TLS. Most servers send `handshake failure` with TLS 1.2, also for other reasons. */
const alerts: readonly (readonly [RegExp, string])[] = [
  [/alert handshake failure/, 'TLS handshake failure: it may require a client certificate'],
  [/no application protocol/, 'it speaks HTTP/2 only'],
];

function reasonOf(error: Error, hasClientCertificate: boolean): string {
  if (error.name === 'AbortError') return `no answer within ${maxMs} ms`;
  if (isClientCertificateAlert(error)) {
    return certificateProblems[hasClientCertificate ? 'rejected' : 'missing'];
  }
  const alert = alerts.find(([pattern]) => pattern.test(error.message));
  if (alert !== undefined) return alert[1];
  const code = nodeCodeOf(error);
  if (typeof code !== 'string') return error.message;
  if (!code.startsWith('HPE_')) return code;
  const { rawPacket } = error as { readonly rawPacket?: Buffer };
  // HTTP/2 begins with a frame of settings (type 4) for the connection (stream 0).
  const isHttp2 = rawPacket?.[3] === 4 && rawPacket.subarray(5, 9).every((byte) => byte === 0);
  return isHttp2 ? 'it speaks HTTP/2 only' : notHttp;
}
