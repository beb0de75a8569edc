import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startFailingDms } from './helpers/failing-dms.ts';
import { tokenWith } from './helpers/jwt.ts';
import { addressOf, logged, logOf, spawnGateway } from './helpers/process.ts';

const document = {
  _id: '64a000000000000000000001',
  filesList: [{ id: '64f000000000000000000001', fileName: 'a.pdf' }],
};
const secretOf = (name: string): string => name.padEnd(32, '.');

/** Starts a gateway that reads its secrets from files. */
async function startWithFiles(WORKERS: string) {
  const directory = mkdtempSync(join(tmpdir(), 'secrets-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const write = (name: string, secret: string) => {
    writeFileSync(join(directory, name), `${secret}\n`, { mode: 0o600 });
    return join(directory, name);
  };
  const dms = await startFailingDms(
    (_request, response) => void response.end(JSON.stringify(document)),
  );
  const gateway = spawnGateway({
    WORKERS,
    DMS_URL: dms.url,
    IDENTITY: 'jwt',
    JWT_SECRET_FILE: write('jwt', secretOf('jwt 1')),
    DMS_AUTHORIZATION_FILE: write('account', 'Bearer account-1'),
    FILE_URL_SECRET_FILE: write('links', secretOf('links 1')),
  });
  const url = await addressOf(gateway);
  /** The statuses of several requests, each on a connection of its own, which any worker can get. */
  const statuses = async (path: string, headers: Record<string, string> = {}) => {
    const responses = Array.from({ length: 12 }, () =>
      fetch(url + path, { headers: { connection: 'close', ...headers } }),
    );
    const all = (await Promise.all(responses)).map(({ status }) => status);
    return [...new Set(all)];
  };
  const query = (secret: string, text: string) =>
    tokenWith({ email: 'ann@example.com' }, secret).then((token) => ({
      path: `/graphql?query=${encodeURIComponent(text)}`,
      headers: { authorization: `Bearer ${token}`, 'apollo-require-preflight': '1' },
    }));
  return {
    gateway,
    write,
    /** The statuses of a query with a token that is signed with a secret. */
    async asUserOf(secret: string) {
      const { path, headers } = await query(secret, '{ __typename }');
      return statuses(path, headers);
    },
    async linkAsUserOf(secret: string): Promise<string> {
      const { path, headers } = await query(secret, '{ document(id: "d") { files { url } } }');
      const body: unknown = await (await fetch(url + path, { headers })).json();
      const { files } = (body as { data: { document: { files: { url: string }[] } } }).data
        .document;
      return files[0]!.url.slice(url.length);
    },
    statuses,
  };
}

describe.each(['1', '2'])('SIGHUP (WORKERS=%s)', { tags: ['nightly'] }, (WORKERS) => {
  it('replaces the keys of tokens and links, whose previous links remain valid', async () => {
    const { gateway, write, asUserOf, linkAsUserOf, statuses } = await startWithFiles(WORKERS);
    expect(await asUserOf(secretOf('jwt 1'))).toEqual([200]);
    const link = await linkAsUserOf(secretOf('jwt 1'));

    write('jwt', secretOf('jwt 2'));
    write('links', secretOf('links 2'));
    write('account', 'Bearer account-2');
    gateway.child.kill('SIGHUP');
    const changed = ['DMS_AUTHORIZATION', 'FILE_URL_SECRET', 'JWT_SECRET'];
    expect(await logged(gateway, { msg: 'secrets reloaded' })).toMatchObject({ changed });
    await logged(gateway, { msg: 'DMS_AUTHORIZATION has changed: restart to use it' });

    expect(await asUserOf(secretOf('jwt 1'))).toEqual([401]);
    expect(await asUserOf(secretOf('jwt 2'))).toEqual([200]);
    expect(await statuses(link)).toEqual([200]);
    const later = await linkAsUserOf(secretOf('jwt 2'));
    expect(await statuses(later)).toEqual([200]);
    expect(await statuses(later.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')))).toEqual([
      403,
    ]);
    expect(gateway.output()).not.toMatch(/jwt [12]\.|links [12]\.|account-[12]/);
  });

  it('changes nothing if a file cannot be used', async () => {
    const { gateway, write, asUserOf } = await startWithFiles(WORKERS);
    write('jwt', secretOf('jwt 2'));
    const path = write('links', '');
    gateway.child.kill('SIGHUP');
    expect(await logged(gateway, { msg: 'secrets not reloaded' })).toMatchObject({
      level: 50,
      reason: `Invalid settings:\n  FILE_URL_SECRET_FILE is empty: ${path}`,
    });
    expect(await asUserOf(secretOf('jwt 1'))).toEqual([200]);

    write('links', secretOf('links 1'));
    gateway.child.kill('SIGHUP');
    const reloaded = await logged(gateway, { msg: 'secrets reloaded' });
    expect(reloaded).toMatchObject({ changed: ['JWT_SECRET'] });
    expect(await asUserOf(secretOf('jwt 2'))).toEqual([200]);
    expect(logOf(gateway).filter(({ level }) => level === 40)).toEqual([]);
  });
});

describe('SIGHUP', { tags: ['nightly'] }, () => {
  it('ends a gateway without secrets in files, like its terminal', async () => {
    const gateway = spawnGateway({ DMS_URL: 'http://127.0.0.1:9' });
    await addressOf(gateway);
    gateway.child.kill('SIGHUP');
    expect(await gateway.exited).toBeNull();
  });

  it('lets workers that are started later accept previous links', async () => {
    const { gateway, write, linkAsUserOf, statuses } = await startWithFiles('2');
    const { pids } = await logged(gateway, { msg: 'workers started' });
    const link = await linkAsUserOf(secretOf('jwt 1'));
    write('links', secretOf('links 2'));
    gateway.child.kill('SIGHUP');
    await logged(gateway, { msg: 'secrets reloaded' });
    const later = await linkAsUserOf(secretOf('jwt 1'));
    for (const pid of pids as number[]) process.kill(pid, 'SIGKILL');
    await logged(gateway, { msg: 'worker started', worker: 1 });
    await logged(gateway, { msg: 'worker started', worker: 2 });
    expect(await statuses(link)).toEqual([200]);
    expect(await statuses(later)).toEqual([200]);
  });
});
