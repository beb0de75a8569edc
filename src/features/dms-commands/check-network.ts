import { lookup } from 'node:dns/promises';
import { connect, isIP } from 'node:net';
import type { Settings } from '../../config/read-config.ts';
import { hostOf, messageOf, nodeCodeOf } from '../../model/common.ts';
import {
  certificateOf,
  createJsonReader,
  isUntrustedError,
  type TlsSource,
} from '../../rest/index.ts';
import type { CheckResult } from '../../server/command.ts';

const maxMs = 5000;
const maxKeySetBytes = 256 * 1024;

export async function* checkAddresses(
  dmsUrl: string,
  { dmsProxy, connectionMaxAgeS }: Settings,
): AsyncGenerator<CheckResult> {
  const { hostname, port, protocol } = new URL(dmsUrl);
  if (dmsProxy !== null || isIP(hostOf(hostname)) !== 0) return;
  const found = await lookup(hostname, { all: true });
  const target = Number(port || (protocol === 'https:' ? 443 : 80));
  const reasons = await Promise.all(found.map(({ address }) => reasonAt(address, target)));
  const name = 'addresses';
  const addresses = found.map(({ address }) => address).join(', ');
  const age =
    connectionMaxAgeS === 0
      ? 'A connection has no maximum age (DMS_CONNECTION_MAX_AGE_S)'
      : `A connection is used for at most ${connectionMaxAgeS} s`;
  yield { status: 'ok', name, text: `${addresses}. ${age}.` };
  for (const [index, reason] of reasons.entries()) {
    if (reason === null) continue;
    const text = `${found[index]!.address}: ${reason}. New connections use the others. Check DNS.`;
    yield { status: 'warn', name, text };
  }
}

function reasonAt(address: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, timeout: maxMs });
    socket.on('connect', () => resolve(null));
    socket.on('timeout', () => resolve(`no answer within ${maxMs} ms`));
    socket.on('error', (error) => resolve(String(nodeCodeOf(error))));
    for (const event of ['connect', 'timeout']) socket.on(event, () => socket.destroy());
  });
}

export async function* checkIssuer(
  { identity }: Settings,
  tls: TlsSource | undefined,
): AsyncGenerator<CheckResult> {
  if (identity.mode !== 'jwt' || identity.jwksUrl === null) return;
  const { jwksUrl, jwksProxy = null } = identity;
  const name = 'token issuer';
  const url = new URL(jwksUrl);
  const through = jwksProxy === null ? '' : ` through the proxy ${new URL(jwksProxy).origin}`;
  const read = createJsonReader(jwksUrl, {
    accept: '*/*',
    timeoutMs: maxMs,
    maxBytes: maxKeySetBytes,
    proxy: jwksProxy,
    tls,
  });
  try {
    const { keys } = Object(await read()) as { readonly keys?: unknown };
    if (!Array.isArray(keys)) throw new Error('The URL did not return a key set.');
    yield {
      status: 'ok',
      name,
      text: `${url.host}${through} is reachable, number of keys: ${keys.length}`,
    };
  } catch (error) {
    const certificate = isUntrustedError(error) ? await certificateOf(url, tls, jwksProxy) : null;
    const found = certificate === null ? '' : ` (${certificate})`;
    const code = nodeCodeOf(error);
    const reason = typeof code === 'string' ? code : messageOf(error).replace(/\.$/, '');
    const hint =
      'No token is accepted. Check JWT_JWKS_URL. For a private authority, set JWT_JWKS_CA_FILE to its file.';
    yield { status: 'fail', name, text: `${url.host}${through}: ${reason}${found}. ${hint}` };
  }
}
