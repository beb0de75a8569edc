import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  defineGateway,
  startGateway,
  startSandbox,
  type GatewaySettings,
  type StartOptions,
} from '../../src/index.ts';
import { openFailingDms, respondWith, startFailingDms } from '../helpers/failing-dms.ts';

/** A DMS that knows one person. */
let dmsUrl = '';

beforeAll(async () => {
  const dms = await openFailingDms(respondWith(200, '{"_id_sys":"usr-ann","name_first":"Ann"}'));
  dmsUrl = dms.url;
  return () => dms[Symbol.asyncDispose]();
});

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
  return (await response.json()) as { data: any; errors?: unknown; extensions?: unknown };
}

const firstName = '{ person(id: "usr-ann") { firstName } }';
const rename = (name: string): string =>
  `mutation { updatePerson(input: { id: "usr-ann", firstName: "${name}" }) { __typename } }`;

describe('startGateway', () => {
  it('serves a sandbox of its own until it is closed, beside another gateway', async () => {
    const [one, other] = await Promise.all([start(), start()]);
    expect(one.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(one.graphqlUrl).toBe(`${one.url}/graphql`);
    expect(other.url).not.toBe(one.url);
    expect((await ask(one.graphqlUrl, firstName)).data.person.firstName).toBe('Ann');
    expect((await ask(one.graphqlUrl, rename('Changed'))).data).toEqual({
      updatePerson: { __typename: 'UpdatePersonPayload' },
    });
    expect((await ask(one.graphqlUrl, firstName)).data.person.firstName).toBe('Changed');
    expect(readdirSync(temporary)).toHaveLength(2);

    await Promise.all([one.close(), one.close()]);
    await expect(fetch(`${one.url}/healthz`)).rejects.toThrow('fetch failed');
    expect(readdirSync(temporary)).toHaveLength(1);
    expect((await ask(other.graphqlUrl, firstName)).data.person.firstName).toBe('Ann');
    await other.close();
    expect(readdirSync(temporary)).toEqual([]);
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

  it('adds the headers of `onCall` to requests to the DMS, besides its own', async () => {
    const seen: unknown[] = [];
    const dms = await startFailingDms((request, response) => {
      seen.push([request.headers['x-signature'], request.headers.authorization]);
      response.end('{"_id_sys":"usr-ann","name_first":"Ann"}');
    });
    const onCall = ({ method, url }: { readonly method: string; readonly url: string }) => ({
      'x-signature': `${method} ${new URL(url).pathname}`,
      authorization: 'Bearer other',
    });
    const gateway = await start({ DMS_URL: dms.url }, { config: { onCall } });
    await ask(gateway.graphqlUrl, firstName, { authorization: 'Bearer own' });
    expect(seen).toEqual([['GET /api/v2/person/usr-ann', 'Bearer own']]);
  });

  it('leaves nothing open if it cannot start', async () => {
    const occupied = await startFailingDms(() => {});
    const { port } = new URL(occupied.url);
    await expect(startGateway({ PORT: port })).rejects.toMatchObject({ code: 'EADDRINUSE' });

    const file = join(temporary, 'file');
    writeFileSync(file, '');
    await expect(startGateway({ DATA_DIR: file })).rejects.toThrow(
      `DATA_DIR=${file} cannot be used: EEXIST: file already exists, mkdir '${file}'`,
    );
    expect(readdirSync(temporary)).toEqual(['file']);
  });

  it.each([null, 5, 'x', ['x'], () => {}])('rejects %j as settings', async (settings) => {
    await expect(startGateway(settings as unknown as GatewaySettings)).rejects.toMatchObject({
      name: 'ConfigError',
      message: 'The settings must be an object',
    });
  });

  it.each([
    [null, 'the options must be an object'],
    [{ onLog: null }, 'onLog must be a function'],
    [{ onlog: () => {} }, 'onlog is not an option'],
  ])('rejects %j as options', async (options, message) => {
    await expect(startGateway({}, options as unknown as StartOptions)).rejects.toMatchObject({
      name: 'TypeError',
      message,
    });
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('does not read the environment', async () => {
    vi.stubEnv('PORT', 'x').stubEnv('DMS_URL', 'x').stubEnv('NODE_ENV', 'production');
    const { graphqlUrl } = await start({ DMS_URL: dmsUrl });
    const { extensions } = await ask(graphqlUrl, firstName, { 'x-upstream-trace': '1' });
    expect(extensions).toMatchObject({ upstream: [{}] }); // off in production
  });

  it('leaves nothing that keeps the process running', async () => {
    const program = `
      import { startGateway } from './src/index.ts';
      const gateway = await startGateway({ RATE_LIMIT: 100, LOG_LEVEL: 'silent' });
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ query: ${JSON.stringify(firstName)} });
      const response = await fetch(gateway.graphqlUrl, { method: 'POST', headers, body });
      console.log((await response.json()).data.person.firstName);
      await gateway.close();`;
    const running = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    onTestFinished(() => void running.child.kill('SIGKILL'));
    expect(await running).toEqual({ stdout: 'Ann\n', stderr: '' });
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('adds no listener to the process', async () => {
    const count = (): unknown[] =>
      process.eventNames().map((name) => [name, process.listenerCount(name)]);
    const before = count();
    const gateway = await start({ DMS_URL: dmsUrl });
    await ask(gateway.graphqlUrl, firstName);
    expect(count()).toEqual(before);
  });

  it('answers requests and closes while onLog throws, and writes the lines to stderr', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const onLog = (): never => {
      throw new Error('no log');
    };
    const dms = await startFailingDms(respondWith(503, ''));
    const settings = { DMS_URL: dms.url, DMS_RETRIES: 0, LOG_LEVEL: 'info' } as const;
    const service = { IDENTITY: 'service', DMS_AUTHORIZATION: 'Bearer x' } as const;
    // It warns at start that FILE_URL_SECRET is not set.
    const gateway = await start({ ...settings, ...service }, { onLog });
    const { data, errors } = await ask(gateway.graphqlUrl, firstName);
    expect({ data, errors }).toMatchObject({ data: { person: null }, errors: [{}] });
    const lines = (): string => written.mock.calls.join('\n');
    await expect.poll(lines).toContain('"msg":"request"');
    await gateway.close();
    expect(lines()).toMatch(/FILE_URL_SECRET.*\n*onLog threw Error: no log/);
    expect(lines()).toContain('"msg":"failure"');
  });

  it('passes lines of the log at LOG_LEVEL', async () => {
    const lines: string[] = [];
    const onLog = (line: string): void => void lines.push(line);
    const quiet = await start({ DMS_URL: dmsUrl }, { onLog });
    await ask(quiet.graphqlUrl, firstName);
    await quiet.close();
    expect(lines).toEqual([]);

    const { graphqlUrl } = await start({ DMS_URL: dmsUrl, LOG_LEVEL: 'info' }, { onLog });
    await ask(graphqlUrl, firstName);
    await expect.poll(() => lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ msg: 'request', outcome: 'OK' });
  });

  it('takes what a team adds, and says once that its plugins turn direct execution off', async () => {
    const lines: string[] = [];
    const onLog = (line: string): void => void lines.push(line);
    const seen: string[] = [];
    const config = defineGateway({
      settings: { LOG_LEVEL: 'info', MAX_DEPTH: 1 },
      plugins: [{ onRequest: ({ url }) => void seen.push(url.pathname) }],
      schema: (builder) =>
        builder.queryField('team', (t) => t.string({ resolve: () => 'finance' })),
    });
    const { graphqlUrl } = await start({ DMS_URL: dmsUrl, MAX_DEPTH: 12 }, { onLog, config });
    expect(await ask(graphqlUrl, '{ team }')).toEqual({ data: { team: 'finance' } });
    expect(await ask(graphqlUrl, '{ team }')).toEqual({ data: { team: 'finance' } });
    expect(seen).toEqual(['/graphql', '/graphql']);
    expect(lines.filter((line) => line.includes('direct execution is off'))).toHaveLength(1);
  });

  it('rejects a configuration with an unknown option', async () => {
    const config = { plugin: [] } as never;
    await expect(start({ DMS_URL: dmsUrl }, { config })).rejects.toThrow(
      'config: `plugin` is not an option',
    );
  });
});
