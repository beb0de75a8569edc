import { expect, it, onTestFinished } from 'vitest';
import { createAuthority, type PrivateAuthority } from '../../helpers/certificates.ts';
import { startFailingDms } from '../../helpers/failing-dms.ts';
import { freePort } from '../../helpers/free-port.ts';
import { addressOf, logged, logOf, spawnGateway } from '../../helpers/process.ts';
import { describeWithRedis, startRedis } from '../../helpers/redis.ts';

async function startDms() {
  const dms = await startFailingDms((_request, response) => {
    response.end('{"_id_sys":"usr-a","email":"a@example.com"}');
  });
  onTestFinished(() => dms[Symbol.asyncDispose]());
  return dms;
}

const email = { data: { person: { email: 'a@example.com' } } };

async function readPerson(url: string, id = 'usr-a'): Promise<unknown> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer ann' },
    body: JSON.stringify({ query: `{ person(id: "${id}") { email } }` }),
  });
  return response.json();
}

async function metric(url: string, name: string): Promise<string | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text.split('\n').find((line) => line.startsWith(`${name} `));
}

/** A Redis with a password that accepts only TLS. Returns its URL. */
async function startTlsRedis(authority: PrivateAuthority): Promise<string> {
  const { cert, key } = authority.issue();
  const port = await freePort();
  const options = `--tls-port ${port} --tls-cert-file ${cert} --tls-key-file ${key} --tls-ca-cert-file ${authority.cert}`;
  const args = `${options} --tls-auth-clients no --requirepass hunter2`.split(' ');
  await startRedis({ port: 0, args });
  return `rediss://:hunter2@127.0.0.1:${port}`;
}

describeWithRedis('a Redis with a certificate of a private authority', () => {
  it('is used with NODE_EXTRA_CA_CERTS', async () => {
    const authority = createAuthority();
    const dms = await startDms();
    const settings = {
      DMS_URL: dms.url,
      REDIS_URL: await startTlsRedis(authority),
      SHARED_SECRET: 'a secret of more than 32 characters, for tests',
      NODE_EXTRA_CA_CERTS: authority.cert,
    };
    const replicas = [spawnGateway(settings), spawnGateway(settings)];
    const [one, other] = await Promise.all(replicas.map(addressOf));
    await Promise.all(replicas.map((replica) => logged(replica, { msg: 'using Redis' })));
    // On a busy machine an answer of Redis can be late and count as none.
    let nth = 0;
    const readOnBoth = async (): Promise<string | undefined> => {
      nth += 1;
      for (const url of [one!, other!]) expect(await readPerson(url, `usr-${nth}`)).toEqual(email);
      return metric(other!, 'gateway_cache_reads_total{outcome="redis"}');
    };
    await expect.poll(readOnBoth).toMatch(/ [1-9]\d*$/);
  });

  it('is not used without, or with another host name, and the log says why', async () => {
    const authority = createAuthority();
    const dms = await startDms();
    const url = await startTlsRedis(authority);
    const settings = {
      DMS_URL: dms.url,
      SHARED_SECRET: 'a secret of more than 32 characters, for tests',
    };
    const replicas = [
      spawnGateway({ ...settings, REDIS_URL: url }),
      spawnGateway({
        ...settings,
        REDIS_URL: url.replace('127.0.0.1', 'localhost'),
        NODE_EXTRA_CA_CERTS: authority.cert,
      }),
    ];
    const reasons: unknown[] = [];
    for (const replica of replicas) {
      const address = await addressOf(replica);
      expect(await readPerson(address)).toEqual(email);
      reasons.push((await logged(replica, { level: 40, msg: 'Redis not available' }))['reason']);
      expect(await metric(address, 'gateway_redis_unavailable')).toMatch(/ 1$/);
      replica.child.kill('SIGTERM');
      expect(await replica.exited).toBe(0);
      expect(logOf(replica).filter(({ msg }) => /Redis/.test(String(msg)))).toHaveLength(1);
      expect(replica.output()).not.toContain('hunter2');
    }
    expect(reasons).toEqual([
      expect.stringMatching(/certificate/),
      expect.stringMatching(/certificate's altnames: Host: localhost/),
    ]);
  });
});
