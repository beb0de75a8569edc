import { nodeCodeOf } from '../../model/common.ts';
import {
  certificateOf,
  isClientCertificateAlert,
  isTlsError,
  isUntrustedError,
  type TlsSource,
} from '../../rest/index.ts';
import type { CheckResult } from '../../server/command.ts';
import { RedisConnection } from './redis-connection.ts';

const name = 'Redis';

interface Outcome {
  readonly reason: string | null;
  readonly tlsError: Error | undefined;
}

/**
 * Connects to Redis once, and does what the gateway does before it uses Redis: it sets a key for a second, and
 * publishes a message.
 *
 * @param url REDIS_URL. Its credentials are not part of the result
 */
export async function checkRedis(
  url: string,
  tls: TlsSource | undefined,
  maxMs = 5000,
): Promise<CheckResult> {
  const { host, hostname, port, password, username } = new URL(url);
  const { reason, tlsError } = await connectOnce(url, tls, maxMs);
  if (reason === null) return { status: 'ok', name, text: `${host} can be used` };
  const target = new URL(`https://${hostname}:${port || 6379}`);
  const isUntrusted = isUntrustedError(tlsError);
  const certificate = isUntrusted ? await certificateOf(target, tls, null) : null;
  const found = certificate === null ? '' : ` (${certificate})`;
  // A server can repeat what it received.
  const secrets = [password, username].flatMap((one) => [one, decodeURIComponent(one)]);
  const shown = secrets
    .filter((secret) => secret !== '' && secret !== 'default')
    .reduce((text, secret) => text.replaceAll(secret, '…'), reason.replace(/\.$/, ''));
  return {
    status: 'fail',
    name,
    text: `${host}: ${shown}${found}. ${hintFor(url, reason, tlsError)}`,
  };
}

function connectOnce(url: string, tls: TlsSource | undefined, maxMs: number): Promise<Outcome> {
  return new Promise((resolve) => {
    let tlsError: Error | undefined;
    const end = (reason: string | null): void => {
      clearTimeout(timer);
      redis.close();
      resolve({ reason: tlsError === undefined ? reason : tlsReason(tlsError, tls), tlsError });
    };
    const redis = new RedisConnection({
      url,
      maxWaitMs: maxMs,
      maxConnectMs: maxMs,
      onChange: (isUp, reason) => end(isUp ? null : reason),
      tls: url.startsWith('rediss:')
        ? {
            serverName: null,
            context: tls?.context,
            hasClientCertificate: tls?.hasClientCertificate ?? false,
            failed(error) {
              if (isTlsError(error)) tlsError ??= error;
            },
            succeeded() {},
          }
        : undefined,
    });
    // DNS has no timeout of its own.
    const timer = setTimeout(() => end(`no answer within ${maxMs} ms`), maxMs + 500);
  });
}

function tlsReason(error: Error, tls: TlsSource | undefined): string {
  if (!isClientCertificateAlert(error)) return String(nodeCodeOf(error));
  return tls?.hasClientCertificate === true
    ? 'it rejects the client certificate'
    : 'it requires a client certificate';
}

function hintFor(url: string, reason: string, tlsError: Error | undefined): string {
  if (isUntrustedError(tlsError)) {
    return 'The certificate must be valid for the host in REDIS_URL. For a private authority, set REDIS_CA_FILE to its file.';
  }
  if (isClientCertificateAlert(tlsError)) {
    return 'Check REDIS_CLIENT_CERT_FILE and REDIS_CLIENT_KEY_FILE, and which authorities Redis trusts.';
  }
  if (tlsError !== undefined) return 'Check whether the port in REDIS_URL accepts rediss://.';
  if (/NOAUTH|WRONGPASS/.test(reason)) return 'Check user name and password in REDIS_URL.';
  if (/ENOTFOUND|EAI_/.test(reason)) return 'Check the host name in REDIS_URL, and DNS.';
  if (/^[A-Z]+ /.test(reason))
    return 'Check the rights of the user, the memory and the role of Redis.';
  // A server can close the connection before its alert is read.
  const otherScheme = url.startsWith('rediss:')
    ? 'whether it accepts rediss:// and requires a client certificate'
    : 'whether it requires rediss://';
  return `Check host and port in REDIS_URL, ${otherScheme}, and firewalls.`;
}
