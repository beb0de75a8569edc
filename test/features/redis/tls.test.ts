import { copyFileSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { RedisConnection } from '../../../src/features/redis/redis-connection.ts';
import { readConfig, type GatewaySettings } from '../../../src/features/settings.ts';
import type { Log } from '../../../src/server/telemetry/log.ts';
import { startGateway } from '../../../src/startup/start-gateway.ts';
import { TlsFiles } from '../../../src/startup/tls-files.ts';
import { createAuthority, type PrivateAuthority } from '../../helpers/certificates.ts';
import { freePort } from '../../helpers/free-port.ts';
import { describeWithRedis, startRedis } from '../../helpers/redis.ts';

/** Opens the files of these settings. */
function filesOf(files: Readonly<Record<string, string>>) {
  const { tlsSettings } = readConfig({
    ...files,
    REDIS_URL: 'rediss://cache',
    SHARED_SECRET: 's'.repeat(32),
  });
  const write = vi.fn<Log['write']>();
  return { tls: new TlsFiles(tlsSettings['redis']!, { write }), write };
}

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
  const redis = new RedisConnection({ url, tls, onChange, retryMs: 50, maxWaitMs: 5000 });
  onTestFinished(() => redis.close());
  return { redis, states };
}

describeWithRedis('a Redis that requires a client certificate of a private authority', () => {
  it('is used, also for messages', async () => {
    const authority = createAuthority();
    const url = await startStrictRedis(authority);
    const { cert, key } = authority.issue();
    const { tls, write } = filesOf({
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
    const { tls, write } = filesOf({
      REDIS_CA_FILE: old.cert,
      REDIS_CLIENT_CERT_FILE: client.cert,
      REDIS_CLIENT_KEY_FILE: client.key,
    });
    const { states } = connect(url, tls);
    await expect.poll(() => states).toHaveLength(1);
    expect(states[0]).toEqual([false, expect.stringMatching(/certificate/) as string]);
    copyFileSync(current.cert, old.cert); // the server is trusted, and rejects the client
    tls.reload();
    const failed = 'TLS connection to Redis failed';
    const reasons = () => write.mock.calls.flatMap(([, msg, what]) => (msg === failed ? what : []));
    await expect.poll(reasons).toMatchObject([{}, { reason: /_ALERT_/ }]);
    copyFileSync(next.key, client.key);
    copyFileSync(next.cert, client.cert);
    tls.reload();
    await expect.poll(() => states.at(-1)).toEqual([true, null]);
  });
});

const unreachable = {
  DMS_URL: 'http://127.0.0.1:9',
  REDIS_URL: 'rediss://127.0.0.1:9',
  SHARED_SECRET: 's'.repeat(32),
} as const;

describeWithRedis('a gateway', () => {
  it('uses the certificates of its settings for Redis', async () => {
    const authority = createAuthority();
    const client = authority.issue();
    const lines: string[] = [];
    const settings: GatewaySettings = {
      ...unreachable,
      LOG_LEVEL: 'info',
      REDIS_URL: await startStrictRedis(authority),
      REDIS_CA_FILE: authority.cert,
      REDIS_CLIENT_CERT_FILE: client.cert,
      REDIS_CLIENT_KEY_FILE: client.key,
    };
    await using _gateway = await startGateway(settings, { onLog: (line) => lines.push(line) });
    await expect.poll(() => lines.join('')).toContain('using Redis');
  });
});
