import { expect, it } from 'vitest';
import { checkDms } from '../../../src/features/dms-commands/check.ts';
import { checkRedis } from '../../../src/features/redis/check-redis.ts';
import { readConfig } from '../../../src/features/settings.ts';
import { openCommandDms } from '../../../src/startup/commands.ts';
import { createAuthority } from '../../helpers/certificates.ts';
import { refusingUrl } from '../../helpers/failing-dms.ts';
import { freePort } from '../../helpers/free-port.ts';
import {
  describeWithRedis,
  startFailingRedis,
  startRedis,
  startRedisFailover,
} from '../../helpers/redis.ts';

/** The lines of the command `check` about Redis. The DMS is not reachable, which ends the command after them. */
async function check(redisUrl: string, files: Readonly<Record<string, string>> = {}) {
  const config = readConfig({
    ...files,
    DMS_URL: await refusingUrl(),
    REDIS_URL: redisUrl,
    SHARED_SECRET: 's'.repeat(32),
  });
  let output = '';
  const isUsable = await checkDms(config, {
    runAs: null,
    openDms: () => openCommandDms(config),
    async write(line) {
      output += line;
    },
  });
  expect(isUsable).toBe(false);
  expect(output).not.toContain('hunter2');
  const lines = output.split('\n').map((line) => line.replaceAll(/ +/g, ' '));
  return lines.filter((line) => / Redis /.test(line));
}

const withPassword = (url: string, credentials: string): string =>
  url.replace('://', `://${credentials}@`);

describeWithRedis('the command check', () => {
  it('connects to Redis with its password', async () => {
    const { url } = await startRedis({ args: ['--requirepass', 'hunter2'] });
    const { host } = new URL(url);
    expect(await check(withPassword(url, ':hunter2'))).toEqual([`ok Redis ${host} can be used`]);
    const hint = 'Check user name and password in REDIS_URL.';
    expect(await check(url)).toEqual([
      expect.stringMatching(new RegExp(`^fail Redis ${host}: .*NOAUTH.*\\. ${hint}$`)),
    ]);
    for (const wrong of [':hunter2-no', 'ann:hunter2-no']) {
      expect(await check(withPassword(url, wrong))).toEqual([
        expect.stringMatching(new RegExp(`^fail Redis ${host}: .*WRONGPASS.*\\. ${hint}$`)),
      ]);
    }
  });

  it('names the certificate of Redis that is not trusted', async () => {
    const authority = createAuthority();
    const { cert, key } = authority.issue({ name: 'cache' });
    const port = await freePort();
    const files = `--tls-cert-file ${cert} --tls-key-file ${key} --tls-ca-cert-file ${authority.cert}`;
    const args = `--tls-port ${port} ${files} --tls-auth-clients yes`.split(' ');
    await startRedis({ port: 0, args });
    const url = `rediss://127.0.0.1:${port}`;
    const trusting = { REDIS_CA_FILE: authority.cert };
    const client = authority.issue();
    const strict = { REDIS_CLIENT_CERT_FILE: client.cert, REDIS_CLIENT_KEY_FILE: client.key };
    const ends =
      /^fail Redis 127\.0\.0\.1:\d+: [A-Z_]+ \(CN=cache, valid until \d{4}-\d\d-\d\d\)\. The /;
    expect(await check(url)).toEqual([expect.stringMatching(ends)]);
    expect(await check(url, trusting)).toEqual([
      // Redis can close the connection before its alert is read.
      expect.stringMatching(
        /it requires a client certificate\. Check REDIS_CLIENT_CERT|(?:ECONNRESET|EPIPE|closed)\. .*requires a client certificate/,
      ),
    ]);
    expect(await check(url, { ...trusting, ...strict })).toEqual([
      `ok Redis 127.0.0.1:${port} can be used`,
    ]);
    expect(await check(url.replace('127.0.0.1', 'localhost'), { ...trusting, ...strict })).toEqual([
      expect.stringMatching(/^fail Redis localhost:\d+: ERR_TLS_CERT_ALTNAME_INVALID \(CN=cache, /),
    ]);
  });

  it('reports a port without TLS', async () => {
    const { url } = await startRedis();
    const { text } = await checkRedis(url.replace('redis:', 'rediss:'), undefined, 500);
    expect(text).toMatch(/ETIMEDOUT\. Check host and port in REDIS_URL, whether it accepts rediss/);
  });

  it('reports a Redis that rejects what the gateway does', async () => {
    const redis = await startRedis();
    redis.cli('config', 'set', 'maxmemory', '1');
    expect(await check(redis.url)).toEqual([
      expect.stringMatching(/: OOM .*\. Check the rights of the user, the memory and the role/),
    ]);
  });
});

it.each([
  ['redis', 'cache.invalid', /: getaddrinfo (?:ENOTFOUND|EAI_AGAIN)\b.*\. Check the host name in/],
  ['redis', null, /: connect ECONNREFUSED .*\. Check host and port in REDIS_URL/],
])('check reports that %s://%s cannot be reached', async (scheme, host, line) => {
  const target = host ?? new URL(await refusingUrl()).host;
  expect(await check(`${scheme}://ann:hunter2@${target}`)).toEqual([expect.stringMatching(line)]);
});

it('check does not wait for a Redis that never answers', async () => {
  const { url } = await startRedisFailover(1);
  for (const one of [url, url.replace('redis:', 'rediss:')]) {
    expect(await checkRedis(one, undefined, 500)).toMatchObject({
      status: 'fail',
      text: expect.stringMatching(/(?:Command timed out|ETIMEDOUT).*\. Check host and/),
    });
  }
});

it.each([
  [':hunter2', 'hunter2'],
  ['ann:hunter2%25%20', 'hunter2% '],
])('check does not print the password %s that a server repeats', async (credentials, password) => {
  const url = await startFailingRedis(`-ERR unknown user ${password}\r\n`);
  expect(await check(withPassword(url, credentials))).toEqual([
    expect.stringMatching(/: ERR unknown user …\. Check the rights/),
  ]);
});
