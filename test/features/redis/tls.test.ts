import { copyFileSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { RedisConnection } from '../../../src/features/redis/redis-connection.ts';
import { readConfig } from '../../../src/features/settings.ts';
import type { Log } from '../../../src/server/telemetry/log.ts';
import { startGateway } from '../../../src/startup/start-gateway.ts';
import { TlsFiles } from '../../../src/startup/tls-files.ts';
import { createAuthority } from '../../helpers/certificates.ts';
import { describeTls, type ServiceTls, type Variables } from '../../helpers/connection-suite.ts';
import { freePort } from '../../helpers/free-port.ts';
import { describeWithRedis, startRedis } from '../../helpers/redis.ts';

const names = {
  ca: 'REDIS_CA_FILE',
  cert: 'REDIS_CLIENT_CERT_FILE',
  key: 'REDIS_CLIENT_KEY_FILE',
};
const SHARED_SECRET = 's'.repeat(32);

/** Starts a Redis with a password that accepts only TLS. Returns its URL. */
async function startTlsRedis({ certificate, clients }: ServiceTls): Promise<string> {
  const port = await freePort();
  const files = `--tls-cert-file ${certificate.cert} --tls-key-file ${certificate.key}`;
  const ca = `--tls-ca-cert-file ${(clients ?? certificate).cert}`;
  const args = `--tls-port ${port} ${files} ${ca} --tls-auth-clients ${clients ? 'yes' : 'no'}`;
  await startRedis({ port: 0, args: `${args} --requirepass hunter2`.split(' ') });
  return `rediss://:hunter2@127.0.0.1:${port}`;
}

/** Starts a gateway of the package, which connects to Redis. */
async function useOnce(url: string, settings: Variables) {
  const lines: string[] = [];
  const onLog = (line: string): void => void lines.push(line);
  const ofGateway = { DMS_URL: 'http://127.0.0.1:9', REDIS_URL: url, SHARED_SECRET };
  await using _gateway = await startGateway(
    { ...ofGateway, LOG_LEVEL: 'info', ...settings },
    { onLog },
  );
  const find = (text: string): boolean => lines.some((line) => line.includes(text));
  await expect.poll(() => find('using Redis') || find('Redis not available')).toBe(true);
  const warnings = lines.filter((line) => !line.includes('"level":30'));
  return { isUsed: find('using Redis'), log: warnings.join('\n') };
}

describeWithRedis('the connection', () => {
  describeTls('Redis', {
    settings: names,
    async start(tls) {
      const url = await startTlsRedis(tls!);
      return { url, use: (settings) => useOnce(url, settings) };
    },
  });
});

function connect(url: string, files: Variables) {
  const { tlsSettings } = readConfig({ ...files, REDIS_URL: url, SHARED_SECRET });
  const write = vi.fn<Log['write']>();
  const tls = new TlsFiles(tlsSettings['redis']!, { write });
  const states: [boolean, string | null][] = [];
  const onChange = (isUp: boolean, reason: string | null): void => void states.push([isUp, reason]);
  const redis = new RedisConnection({ url, tls, onChange, retryMs: 50, maxWaitMs: 5000 });
  onTestFinished(() => redis.close());
  return { redis, states, tls, write };
}

describeWithRedis('a Redis that requires a client certificate', () => {
  it('is used when files that were wrong have been replaced, without a signal', async () => {
    const [old, current] = [createAuthority('old'), createAuthority('current')];
    const url = await startTlsRedis({ certificate: current.issue(), clients: current });
    const [client, next] = [old.issue({ name: 'stranger' }), current.issue()];
    const { states, tls, write } = connect(url, {
      [names.ca]: old.cert,
      [names.cert]: client.cert,
      [names.key]: client.key,
    });
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
