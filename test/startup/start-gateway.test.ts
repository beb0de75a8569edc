import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  startGateway,
  startSandbox,
  type GatewaySettings,
  type StartOptions,
} from '../../src/index.ts';
import { startFailingDms } from '../helpers/failing-dms.ts';

/** The directory in which this test's temporary directories are created. */
let temporary = '';

beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'startup-test-'));
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(temporary, { recursive: true, force: true });
  });
});

async function start(settings?: GatewaySettings, options?: StartOptions) {
  const gateway = await startGateway(settings, options);
  onTestFinished(() => gateway.close());
  return gateway;
}

async function ask(url: string, query: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- tests know what they select
  return (await response.json()) as { data: any; errors?: unknown };
}

const firstName = '{ person(id: "usr-ann") { firstName } }';
const rename = (name: string): string =>
  `mutation { updatePerson(input: { id: "usr-ann", firstName: "${name}" }) { __typename } }`;

describe('startGateway', () => {
  it('serves a sandbox of its own until it is closed', async () => {
    const gateway = await start();
    expect(gateway.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(gateway.graphqlUrl).toBe(`${gateway.url}/graphql`);
    expect((await ask(gateway.graphqlUrl, firstName)).data).toEqual({
      person: { firstName: 'Ann' },
    });
    expect(readdirSync(temporary)).toHaveLength(1);

    await Promise.all([gateway.close(), gateway.close()]);
    await expect(fetch(`${gateway.url}/healthz`)).rejects.toThrow('fetch failed');
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('runs beside others with data of its own', async () => {
    const [one, other] = await Promise.all([start(), start()]);
    expect(one.url).not.toBe(other.url);
    expect((await ask(one.graphqlUrl, rename('Changed'))).data).toEqual({
      updatePerson: { __typename: 'UpdatePersonPayload' },
    });
    await one.close();
    expect((await ask(other.graphqlUrl, firstName)).data.person.firstName).toBe('Ann');
  });

  it('keeps a data directory that it is given', async () => {
    const dataDir = join(temporary, 'kept');
    const first = await start({ DATA_DIR: dataDir });
    await ask(first.graphqlUrl, rename('Changed'));
    await first.close();
    expect(existsSync(dataDir)).toBe(true);
    const second = await start({ DATA_DIR: dataDir });
    expect((await ask(second.graphqlUrl, firstName)).data.person.firstName).toBe('Changed');
  });

  it('closes at the end of an await using block', async () => {
    let url = '';
    {
      await using gateway = await startGateway();
      ({ url } = gateway);
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
    }
    await expect(fetch(`${url}/readyz`)).rejects.toThrow('fetch failed');
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('uses the DMS that it is given', async () => {
    await using sandbox = await startSandbox();
    const gateway = await start({
      DMS_URL: sandbox.url,
      DMS_AUTHORIZATION: sandbox.authorization,
      IDENTITY: 'service',
    });
    expect((await ask(gateway.graphqlUrl, firstName)).errors).toBeUndefined();
    await gateway.close();
    expect((await fetch(sandbox.url)).status).toBe(401);
  });

  it('throws an error that names every invalid setting', async () => {
    const settings = { PORT: -1, MAX_DEPHT: 3, IDENTITY: 'nobody' } as unknown as GatewaySettings;
    await expect(startGateway(settings)).rejects.toMatchObject({
      name: 'ConfigError',
      message: [
        'Invalid settings:',
        '  MAX_DEPHT is not a setting',
        '  PORT must be an integer from 0 to 65535, not "-1"',
        '  IDENTITY must be one of passthrough, service, jwt, not "nobody"',
      ].join('\n'),
    });
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('leaves nothing open if it cannot start', async () => {
    await using occupied = await startFailingDms(() => {});
    const { port } = new URL(occupied.url);
    await expect(startGateway({ PORT: port })).rejects.toMatchObject({ code: 'EADDRINUSE' });

    const manifest = join(temporary, 'manifest.json');
    writeFileSync(manifest, '[]');
    await expect(startGateway({ PERSISTED_DOCUMENTS: manifest })).rejects.toThrow('manifest.json');
    expect(readdirSync(temporary)).toEqual(['manifest.json']);
  });

  it('does not read the environment', async () => {
    vi.stubEnv('PORT', 'x').stubEnv('DMS_URL', 'x').stubEnv('NODE_ENV', 'production');
    const { graphqlUrl } = await start();
    const { data } = await ask(graphqlUrl, '{ __typename }', { 'x-upstream-trace': '1' });
    expect(data).toEqual({ __typename: 'Query' });
  });

  it('adds no listener to the process', async () => {
    const count = (): unknown[] =>
      process.eventNames().map((name) => [name, process.listenerCount(name)]);
    const before = count();
    const gateway = await start();
    await ask(gateway.graphqlUrl, firstName);
    expect(count()).toEqual(before);
  });

  it('passes lines of the log at LOG_LEVEL', async () => {
    const lines: string[] = [];
    const onLog = (line: string): void => void lines.push(line);
    const quiet = await start({}, { onLog });
    await ask(quiet.graphqlUrl, firstName);
    expect(lines).toEqual([]);

    const { graphqlUrl } = await start({ LOG_LEVEL: 'info' }, { onLog });
    await ask(graphqlUrl, firstName);
    await expect.poll(() => lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ msg: 'request', outcome: 'OK' });
  });
});
