import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { refusingUrl, startFailingDms } from './helpers/failing-dms.ts';
import { freePort } from './helpers/free-port.ts';
import {
  addressOf,
  logged,
  logOf,
  sendQuery,
  spawnGateway,
  spawnGatewayTo,
  suspend,
} from './helpers/process.ts';
import { temporaryDirectory } from './helpers/temporary-directory.ts';

const ask = (url: string, query: string): Promise<Response> =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });

const person = '{ person(id: "usr-ann") { email } }';

/** Starts a gateway process with a DMS that responds when the test says so. */
async function startBusy(settings: Record<string, string> = {}) {
  const asked = Promise.withResolvers<void>();
  const waiting: (() => void)[] = [];
  let finished = false;
  const dms = await startFailingDms((request, response) => {
    if (request.url === '/') {
      response.end(); // the probe of the start
      return;
    }
    if (request.url?.includes('/file/')) {
      response.writeHead(200, { 'content-length': '10' });
      response.write('01234');
    }
    asked.resolve();
    const rest = request.url?.includes('/file/') ? '56789' : '{"_id_sys":"usr-ann","email":"x"}';
    if (finished) response.end(rest);
    else waiting.push(() => response.end(rest));
  });
  const gateway = spawnGateway({ DMS_URL: dms.url, ...settings });
  const finish = (): void => {
    finished = true;
    for (const end of waiting) end();
  };
  return { gateway, url: await addressOf(gateway), asked: asked.promise, finish };
}

/** Waits until new connections are refused. */
async function refused(url: string): Promise<void> {
  const attempt = (): Promise<string> =>
    fetch(`${url}/healthz`).then(
      () => 'accepted',
      () => 'refused',
    );
  await expect.poll(attempt).toBe('refused');
}

describe('npm start', () => {
  it('runs the sandbox and prints its URLs', async () => {
    const dataDir = temporaryDirectory();
    const gateway = spawnGateway({ DATA_DIR: dataDir });
    const url = await addressOf(gateway);
    const response = await ask(url, '{ documents(view: INBOX, first: 1) { nodes { shortId } } }');
    expect(await response.json()).toMatchObject({ data: { documents: { nodes: [{}] } } });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const [first] = gateway.output().split('\n');
    expect(JSON.parse(first!)).toMatchObject({
      msg: 'gateway started',
      url,
      dms: expect.stringMatching(/^the embedded sandbox \(http:\/\/127\.0\.0\.1:\d+, data in /),
      identity: 'service',
    });

    gateway.child.kill('SIGTERM');
    expect(await gateway.exited).toBe(0);
    const log = gateway.output().trim().split('\n');
    expect(log.map((line) => JSON.parse(line).msg)).toEqual([
      'gateway started',
      'request',
      'stopping',
      'stopped',
    ]);
  });

  it.each(['1', '2'])(
    'warns once of what an operator can correct (WORKERS=%s)',
    { tags: ['nightly'] },
    async (WORKERS) => {
      const dmsUrl = await refusingUrl();
      const variables = { DMS_TIMEOUT: '5', ALL_PROXY: 'http://a:hunter2@proxy:1', WORKERS };
      const gateway = spawnGateway({ DMS_URL: dmsUrl, ...variables });
      const url = await addressOf(gateway);
      await logged(gateway, { msg: 'DMS not reachable' });
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      const warnings = logOf(gateway).filter(({ level }) => level === 40);
      expect(gateway.output()).not.toContain('hunter2');
      expect(warnings).toMatchObject([
        { msg: expect.stringMatching(/^ALL_PROXY has no effect/) },
        { msg: 'DMS_TIMEOUT is not a setting: did you mean DMS_TIMEOUT_MS?' },
        { msg: 'DMS not reachable', reason: 'ECONNREFUSED' },
      ]);
    },
  );

  it('rejects unknown arguments', async () => {
    const gateway = spawnGateway({}, '--port', '5000');
    expect(await gateway.exited).toBe(1);
    expect(gateway.output()).toMatch(/^Unknown option '--port'/);
    expect(gateway.output()).toContain('configured by environment variables; --help lists them');
  });

  it(
    'ends without an error if the reader of its output has closed it',
    { tags: ['nightly'] },
    async () => {
      const gateway = spawnGateway({ DMS_URL: 'http://127.0.0.1:9' }, 'check');
      gateway.child.stdout!.destroy();
      expect(await gateway.exited).toBe(0);
      expect(gateway.output()).toBe('');
    },
  );

  it.runIf(process.platform === 'linux')('says so if its output cannot be written', async () => {
    const gateway = spawnGatewayTo('/dev/full', {}, '--help');
    expect(await gateway.exited).toBe(1);
    expect(gateway.output()).toMatch(/^The output cannot be written: ENOSPC/);
  });

  it('says that it is not tested with Bun', { tags: ['nightly'] }, async () => {
    const other = `process.versions.bun = '1.2.3'`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(
      `Object.defineProperty(process, 'versions', { value: { ...process.versions } }); ${other}`,
    )}`;
    const gateway = spawnGateway({ NODE_OPTIONS }, '--version');
    expect(await gateway.exited).toBe(0);
    expect(gateway.output()).toContain('tested with Node only, and this is Bun 1.2.3.\n');
  });

  it('says so if Node is too old', { tags: ['nightly'] }, async () => {
    const older = `Object.defineProperty(process.versions, 'node', { value: '22.12.0' })`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(older)}`;
    const gateway = spawnGateway({ NODE_OPTIONS });
    expect(await gateway.exited).toBe(1);
    expect(gateway.output()).toMatch(/^Node 24 or newer is required, and this is Node 22\.12\.0\./);
  });

  it('prints the table of settings for --help and ends', async () => {
    const gateway = spawnGateway({}, '--help');
    expect(await gateway.exited).toBe(0);
    expect(gateway.output()).toMatch(/^ {2}DMS_URL +– +– +Base URL of the DMS/m);
  });

  it('prints version and commit for --version', async () => {
    const gateway = spawnGateway({}, '--version');
    expect(await gateway.exited).toBe(0);
    const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
    const commit = status === 0 ? stdout.trim() : 'unknown';
    expect(gateway.output()).toBe(`dms-graphql-gateway ${packageJson.version}, commit ${commit}\n`);
  });

  it('reports a used port and exits 1', async () => {
    const dms = await startFailingDms(() => {});
    const { port } = new URL(dms.url);
    const gateway = spawnGateway({ DMS_URL: dms.url, PORT: port });
    expect(await gateway.exited).toBe(1);
    expect(gateway.output()).toContain(
      `The gateway cannot start: PORT=${port} cannot be used: listen EADDRINUSE`,
    );
  });
});

// Every write to /dev/full fails, as on a full disk.
describe.runIf(process.platform === 'linux')('an output that cannot be written', () => {
  it.each(['1', '2'])(
    'does not stop the gateway (WORKERS=%s)',
    { tags: ['nightly'] },
    async (WORKERS) => {
      const dms = await startFailingDms((_request, response) => void response.end('{}'));
      const PORT = String(await freePort());
      const gateway = spawnGatewayTo('/dev/full', { DMS_URL: dms.url, PORT, WORKERS });
      const url = `http://127.0.0.1:${PORT}`;
      const status = () => ask(url, person).then((response) => response.status, String);
      await expect.poll(status).toBe(200);
      await expect.poll(gateway.output).toMatch(/^The log cannot be written: ENOSPC/);
      expect(await status()).toBe(200);
      gateway.child.kill('SIGTERM');
      expect(await gateway.exited).toBe(0);
    },
  );
});

describe('SIGTERM', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'waits for requests and files, then exits 0 (%s)',
    async (signal) => {
      const { gateway, url, asked, finish } = await startBusy();
      const query = ask(url, person);
      const file = await fetch(`${url}/files/documents/d/f`);
      await asked;
      gateway.child.kill(signal);
      await refused(url);
      finish();
      expect(await (await query).json()).toEqual({ data: { person: { email: 'x' } } });
      expect(await file.text()).toBe('0123456789');
      expect(await gateway.exited).toBe(0);
      expect(gateway.output()).toContain('"msg":"stopped"');
    },
  );

  it.runIf(process.platform === 'linux')(
    'answers requests that are already sent',
    { tags: ['nightly'] },
    async () => {
      const { gateway, url } = await startBusy();
      const pid = gateway.child.pid!;
      await suspend(pid);
      const sent = await Promise.all(Array.from({ length: 3 }, () => sendQuery(url)));
      process.kill(pid, 'SIGTERM');
      process.kill(pid, 'SIGCONT');
      for (const { text } of sent) expect(await text).toMatch(/"data"|"SHUTTING_DOWN"/);
      expect(await gateway.exited).toBe(0);
    },
  );

  it('stops cleanly during the start', { tags: ['nightly'] }, async () => {
    const dataDir = temporaryDirectory();
    const gateway = spawnGateway({ DATA_DIR: dataDir });
    await expect.poll(() => readdirSync(dataDir)).not.toEqual([]);
    gateway.child.kill('SIGTERM');
    expect(await gateway.exited).toBe(0);
    expect(gateway.output()).toContain('"msg":"stopped"');
  });

  it('aborts late requests and still exits 0', { tags: ['nightly'] }, async () => {
    const { gateway, url, asked } = await startBusy({ SHUTDOWN_TIMEOUT_MS: '100' });
    const query = ask(url, person).catch((error: unknown) => String(error));
    await asked;
    gateway.child.kill('SIGTERM');
    expect(await gateway.exited).toBe(0);
    expect(await query).toContain('fetch failed');
    expect(gateway.output()).toContain('stopped, running requests were aborted');
  });

  it('ends the process on the second signal', { tags: ['nightly'] }, async () => {
    const { gateway, url, asked } = await startBusy();
    const query = ask(url, person).catch((error: unknown) => String(error));
    await asked;
    gateway.child.kill('SIGTERM');
    await refused(url);
    gateway.child.kill('SIGTERM');
    expect(await gateway.exited).toBe(1);
    expect(await query).toContain('fetch failed');
  });
});
