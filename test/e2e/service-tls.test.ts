import { copyFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readConfig, type GatewaySettings } from '../../src/features/settings.ts';
import { RedisConnection } from '../../src/redis/redis-connection.ts';
import type { Log } from '../../src/server/telemetry/log.ts';
import { startGateway } from '../../src/startup/start-gateway.ts';
import { TlsFiles } from '../../src/startup/tls-files.ts';
import {
  createAuthority,
  readCertificate,
  type IssueOptions,
  type PrivateAuthority,
} from '../helpers/certificates.ts';
import { directions, sendPlain, startDirectionsDms } from '../helpers/directions.ts';
import { startForwardProxy } from '../helpers/forward-proxy.ts';
import { freePort } from '../helpers/free-port.ts';
import { addressOf, logged, spawnGateway } from '../helpers/process.ts';
import { describeWithRedis, startRedis } from '../helpers/redis.ts';

const keySet = directions.find(({ name }) => name === 'a key set')!;
const read = '{ person(id: "usr-ann") { firstName } }';

/** Opens the files of one service, whose URL does not matter. */
function filesOf(service: 'issuer' | 'redis', files: GatewaySettings) {
  const { tlsSettings } = readConfig({
    ...(files as Record<string, string>),
    REDIS_URL: 'rediss://cache',
    SHARED_SECRET: 's'.repeat(32),
    IDENTITY: 'jwt',
    JWT_JWKS_URL: 'https://id.example',
    JWT_ISSUER: 'https://id.example',
    JWT_AUDIENCE: 'gateway',
  });
  const write = vi.fn<Log['write']>();
  return { tls: new TlsFiles(tlsSettings[service]!, { write }), write };
}

/** A DMS and issuer whose certificate is of the authority. */
function startIssuer(authority: PrivateAuthority, options: IssueOptions = {}) {
  return startDirectionsDms(sendPlain, readCertificate(authority.issue(options)));
}

describe('an issuer with a certificate of a private authority', () => {
  it('is used with JWT_JWKS_CA_FILE', async () => {
    const authority = createAuthority();
    const issuer = await startIssuer(authority);
    const { tls, write } = filesOf('issuer', { JWT_JWKS_CA_FILE: authority.cert });
    expect(await keySet.run(issuer, { jwksTls: tls, http: { tls } })).toEqual(keySet.expected);
    expect(write).not.toHaveBeenCalled();
  });

  it('is used through a proxy', async () => {
    const authority = createAuthority();
    const [proxy, issuer] = [await startForwardProxy(), await startIssuer(authority)];
    const { tls } = filesOf('issuer', { JWT_JWKS_CA_FILE: authority.cert });
    const options = { jwksTls: tls, jwksProxy: proxy.url };
    expect(await keySet.run(issuer, options)).toEqual(keySet.expected);
    expect(proxy.targets).toEqual([new URL(issuer.url).host]);
  });

  it('is used when its file has changed, with the same request', async () => {
    const [old, current] = [createAuthority('old'), createAuthority('current')];
    const issuer = await startIssuer(current);
    const { tls, write } = filesOf('issuer', { JWT_JWKS_CA_FILE: old.cert });
    copyFileSync(current.cert, old.cert);
    expect(await keySet.run(issuer, { jwksTls: tls })).toEqual(keySet.expected);
    expect(write.mock.calls).toEqual([
      ['info', 'TLS files reloaded', { changed: ['JWT_JWKS_CA_FILE'] }],
    ]);
  });

  it('receives nothing if the certificate has expired, and the log names both', async () => {
    const authority = createAuthority();
    const issuer = await startIssuer(authority, { validity: ['20200101', '20200102'] });
    const { tls, write } = filesOf('issuer', { JWT_JWKS_CA_FILE: authority.cert });
    const answer = await keySet.run(issuer, { jwksTls: tls });
    expect(answer).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]);
    expect(issuer.requests).toEqual([]);
    expect(write.mock.calls).toEqual([
      [
        'warn',
        'TLS connection to the token issuer failed',
        {
          reason: 'CERT_HAS_EXPIRED',
          certificates: [expect.stringContaining('JWT_JWKS_CA_FILE: CN=authority')],
        },
      ],
    ]);
  });
});

/** A Redis that accepts only clients with a certificate of the authority. Returns its URL. */
async function startStrictRedis(authority: PrivateAuthority): Promise<string> {
  const { cert, key } = authority.issue();
  const port = await freePort();
  const files = `--tls-cert-file ${cert} --tls-key-file ${key} --tls-ca-cert-file ${authority.cert}`;
  const args = `--tls-port ${port} ${files} --tls-auth-clients yes`.split(' ');
  await startRedis({ port: 0, args });
  return `rediss://127.0.0.1:${port}`;
}

function connect(url: string, tls: TlsFiles) {
  const states: [boolean, string | null][] = [];
  const onChange = (isUp: boolean, reason: string | null): void => void states.push([isUp, reason]);
  const redis = new RedisConnection({ url, tls, onChange, checkMs: 50, maxWaitMs: 5000 });
  onTestFinished(() => redis.close());
  return { redis, states };
}

describeWithRedis('a Redis that requires a client certificate of a private authority', () => {
  it('is used, also for messages', async () => {
    const authority = createAuthority();
    const url = await startStrictRedis(authority);
    const { cert, key } = authority.issue();
    const { tls, write } = filesOf('redis', {
      REDIS_CA_FILE: authority.cert,
      REDIS_CLIENT_CERT_FILE: cert,
      REDIS_CLIENT_KEY_FILE: key,
    });
    const { redis, states } = connect(url, tls);
    const messages: string[] = [];
    const isSubscribed = new Promise<void>((resolve) => {
      redis.subscribe('channel', (message) => messages.push(String(message)), resolve);
    });
    await isSubscribed;
    await expect.poll(() => states).toEqual([[true, null]]);
    await redis.run((commands) => commands.publish('channel', 'hello'));
    await expect.poll(() => messages).toEqual(['hello']);
    expect(write).not.toHaveBeenCalled();
  });

  it('is used when files that were wrong have been replaced, without a signal', async () => {
    const [old, current] = [createAuthority('old'), createAuthority('current')];
    const url = await startStrictRedis(current);
    const [client, next] = [old.issue({ name: 'stranger' }), current.issue()];
    const { tls, write } = filesOf('redis', {
      REDIS_CA_FILE: old.cert,
      REDIS_CLIENT_CERT_FILE: client.cert,
      REDIS_CLIENT_KEY_FILE: client.key,
    });
    const { states } = connect(url, tls);
    await expect.poll(() => states).toHaveLength(1);
    expect(states[0]).toEqual([false, expect.stringMatching(/certificate/) as string]);
    copyFileSync(current.cert, old.cert); // the server is trusted, and rejects the client
    const failed = 'TLS connection to Redis failed';
    const reasons = () => write.mock.calls.flatMap(([, msg, what]) => (msg === failed ? what : []));
    await expect.poll(reasons).toMatchObject([{}, { reason: /_ALERT_/ }]);
    copyFileSync(next.key, client.key);
    copyFileSync(next.cert, client.cert);
    await expect.poll(() => states.at(-1)).toEqual([true, null]);
  });
});

describeWithRedis('a gateway', () => {
  it('uses the certificates of the settings for each service, and no other', async () => {
    const [authority, other] = [createAuthority(), createAuthority('other')];
    const [dms, issuer] = [await startIssuer(authority), await startIssuer(other)];
    const client = authority.issue();
    const lines: string[] = [];
    const settings: GatewaySettings = {
      LOG_LEVEL: 'info',
      DMS_URL: dms.url,
      DMS_CA_FILE: authority.cert,
      DMS_AUTHORIZATION: 'Bearer account',
      FILE_URL_SECRET: 'f'.repeat(32),
      IDENTITY: 'jwt',
      JWT_JWKS_URL: `${issuer.url}/keys`,
      JWT_JWKS_CA_FILE: other.cert,
      JWT_ISSUER: 'https://id.example',
      JWT_AUDIENCE: 'gateway',
      REDIS_URL: await startStrictRedis(authority),
      REDIS_CA_FILE: authority.cert,
      REDIS_CLIENT_CERT_FILE: client.cert,
      REDIS_CLIENT_KEY_FILE: client.key,
      SHARED_SECRET: 's'.repeat(32),
    };
    await using gateway = await startGateway(settings, { onLog: (line) => lines.push(line) });
    const response = await fetch(`${gateway.graphqlUrl}?query=${encodeURIComponent(read)}`, {
      headers: {
        authorization: `Bearer ${await issuer.sign()}`,
        'apollo-require-preflight': '1',
      },
    });
    expect(await response.json()).toEqual({ data: { person: { firstName: 'Änne' } } });
    expect(dms.requests).toHaveLength(1);
    expect(issuer.requests).toEqual(['GET /keys']);
    await expect.poll(() => lines.join('')).toContain('using Redis');
  });

  const unreachable = {
    DMS_URL: 'http://127.0.0.1:9',
    DMS_AUTHORIZATION: 'Bearer account',
    FILE_URL_SECRET: 'f'.repeat(32),
    IDENTITY: 'jwt',
    JWT_JWKS_URL: 'https://127.0.0.1:9',
    JWT_ISSUER: 'https://id.example',
    JWT_AUDIENCE: 'gateway',
    REDIS_URL: 'rediss://127.0.0.1:9',
    SHARED_SECRET: 's'.repeat(32),
  } as const;
  const names = ['JWT_JWKS_CA_FILE', 'REDIS_CA_FILE'] as const;

  it.each(names)('does not start if %s cannot be used', async (name) => {
    await expect(startGateway({ ...unreachable, [name]: '/none/ca.pem' })).rejects.toThrow(
      `${name} cannot be read: ENOENT, /none/ca.pem`,
    );
  });

  it('warns of certificates that have expired', async () => {
    const authority = createAuthority();
    const { cert, key } = authority.issue({ name: 'old', validity: ['20200101', '20200102'] });
    const lines: string[] = [];
    const settings = {
      ...unreachable,
      REDIS_CLIENT_CERT_FILE: cert,
      REDIS_CLIENT_KEY_FILE: key,
      JWT_JWKS_CA_FILE: cert,
    };
    await using _gateway = await startGateway(settings, { onLog: (line) => lines.push(line) });
    const end = `CN=old, valid until 2020-01-02, ${cert}: it has expired`;
    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(messages).toEqual(
      expect.arrayContaining([`JWT_JWKS_CA_FILE: ${end}`, `REDIS_CLIENT_CERT_FILE: ${end}`]),
    );
  });

  it.each(names)('reads %s again on SIGHUP', async (name) => {
    const [authority, next] = [createAuthority(), createAuthority('next')];
    const gateway = spawnGateway({ ...unreachable, [name]: authority.cert });
    await addressOf(gateway);
    copyFileSync(next.cert, authority.cert);
    gateway.child.kill('SIGHUP');
    const { changed } = await logged(gateway, { msg: 'TLS files reloaded' });
    expect(changed).toEqual([name]);
  });
});
