import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { nodeCodeOf } from '../model/common.ts';
import { isClientCertificateAlert, isUntrustedError } from '../rest/client/tls-errors.ts';
import type { TlsFiles } from './tls-files.ts';

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
  tls?: TlsFiles,
  proxy: string | null = null,
): Promise<DmsAnswer> {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/`;
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const options = {
    agent: proxy === null ? (false as const) : agentThrough(proxy, url.protocol),
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
  const certificate =
    isUntrusted && proxy === null ? await certificateOf(url, tlsOptions(tls)) : null;
  return certificate === null ? answer : { ...answer, certificate };
}

/** Node asks the proxy for a tunnel to an https URL, and to forward the request to an http URL. */
function agentThrough(proxy: string, protocol: string): HttpAgent {
  const proxyEnv = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy };
  return protocol === 'https:' ? new HttpsAgent({ proxyEnv }) : new HttpAgent({ proxyEnv });
}

function tlsOptions(tls: TlsFiles | undefined): ConnectionOptions {
  return {
    ...(tls?.context !== undefined && { secureContext: tls.context }),
    ...(tls?.serverName != null && { servername: tls.serverName }),
  };
}

/** Subject and last day of the certificate at an address. Null if there is none. Sends nothing else. */
async function certificateOf(
  { hostname, port }: URL,
  options: ConnectionOptions,
): Promise<string | null> {
  const { describeCertificate } = await import('./tls-files.ts');
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const sni = isIP(host) === 0 ? { servername: host } : {};
  return new Promise((resolve) => {
    const target = { host, port: Number(port || 443), ...sni, ...options };
    const socket = connectTls({ ...target, rejectUnauthorized: false }, () => {
      const certificate = socket.getPeerX509Certificate();
      resolve(certificate === undefined ? null : describeCertificate(certificate));
      socket.destroy();
    });
    socket.setTimeout(maxMs, () => socket.destroy());
    socket.on('error', () => {}).on('close', () => resolve(null));
  });
}

const notHttp = 'its answer is not HTTP/1.1';
const needsCertificate = 'it requires a client certificate';
const rejectsCertificate = 'it rejects the client certificate';

/** The reason in a page of nginx. Null in any other. */
function reasonIn(page: string): string | null {
  return /SSL certificate/i.test(page) ? needsCertificate : null;
}

/** Reasons by the alert of TLS. Most servers send `handshake failure` with TLS 1.2, also for other reasons. */
const alerts: readonly (readonly [RegExp, string])[] = [
  [/alert handshake failure/, 'TLS handshake failure: it may require a client certificate'],
  [/no application protocol/, 'it speaks HTTP/2 only'],
];

function reasonOf(error: Error, hasClientCertificate: boolean): string {
  if (error.name === 'AbortError') return `no answer within ${maxMs} ms`;
  if (isClientCertificateAlert(error)) {
    return hasClientCertificate ? rejectsCertificate : needsCertificate;
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
