/** @module-tag nightly */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../sandbox/index.ts';
import { createRiskService } from '../../examples/own-fields/risk-service.ts';
import { build, buildArgument, run, start, type Built } from './build.ts';
import { refusingUrl, startFailingDms } from '../helpers/failing-dms.ts';
import { compose, composeSettings } from './compose.ts';
import { readStages } from './dockerfile.ts';
import { podTemplate, readPodSettings } from './kubernetes.ts';
import { teamOverlay } from './own-fields.ts';
import { collectOutput } from '../helpers/child-output.ts';
import { freePort } from '../helpers/free-port.ts';

let folder = '';
let image: Built;
/** The target with the sandbox. */
let demo: Built;

// Two minutes are enough for an installation whose packages are not in npm's cache.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-'));
  const stages = await build(readStages(), folder);
  image = stages.get('')!;
  demo = stages.get('sandbox')!;
}, 120_000);

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('the image', () => {
  it('contains exactly the production packages', async () => {
    const lock = JSON.parse(
      await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8'),
    ) as { packages: Record<string, { dev?: true; optional?: true; devOptional?: true }> };
    const needed = Object.entries(lock.packages)
      .filter(([, { dev, optional, devOptional }]) => !(dev || optional || devOptional))
      .flatMap(([path]) => /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1] ?? []);
    expect(needed).toContain('graphql-yoga');
    expect(needed).not.toContain('pdfkit');
    const packages = await installed(join(image.root, 'app/node_modules'));
    expect(packages.toSorted()).toEqual(needed.toSorted());
  });

  it('names the commit of the build', async () => {
    const { code, output } = await run([...image.command, '--version'], image);
    expect(output).toMatch(/^dms-graphql-gateway [\d.]+, commit /);
    expect(output).toContain(`commit ${buildArgument}\n`);
    expect(code).toBe(0);
  });

  it('does not start without DMS_URL', async () => {
    const { code, output } = await run(image.command, image, { HOST: '127.0.0.1', PORT: '0' });
    expect(output).toBe(
      'Invalid settings:\n  DMS_URL is required with NODE_ENV=production. DMS_URL=sandbox asks for the embedded sandbox\n',
    );
    expect(code).toBe(1);
  });

  it('with the sandbox starts, is healthy, responds and stops', async () => {
    const port = await freePort();
    const here = { HOST: '127.0.0.1', PORT: `${port}` };
    const healthy = () => run(demo.healthCommand, demo, here);
    expect(await healthy()).toEqual({ code: 1, output: '' });

    const gateway = await serving(demo.command, here, demo);
    expect(await healthy()).toEqual({ code: 0, output: '' });
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
    expect(await ready.json()).toEqual({ status: 'ready' });

    expect(await ask(port, '{ documents(view: INBOX, first: 1) { totalCount } }')).toEqual({
      data: { documents: { totalCount: expect.any(Number) } },
    });
    const page = await fetch(`http://127.0.0.1:${port}/graphql`, {
      headers: { accept: 'text/html' },
    });
    expect(await page.text()).toContain('<title>DMS gateway</title>');
    const inbox = await fetch(`http://127.0.0.1:${port}/`);
    expect(await inbox.text()).toContain('<title>Inbox</title>');

    gateway.kill('SIGTERM');
    expect(await once(gateway, 'exit')).toEqual([0, null]);
    expect(await healthy()).toEqual({ code: 1, output: '' });
  });

  it(
    'runs in a pod: read-only, without root, and stops in time',
    { tags: ['nightly'] },
    async () => {
      const [container] = podTemplate.spec.containers;
      const { terminationGracePeriodSeconds, securityContext, volumes } = podTemplate.spec;
      expect([volumes, container.volumeMounts]).toEqual([undefined, undefined]);
      expect(image.uid).toBe(securityContext.runAsUser);

      const asked = Promise.withResolvers<void>();
      const answer = Promise.withResolvers<void>();
      const dms = await startFailingDms((request, response) => {
        const isSlow = request.url?.includes('usr-slow');
        if (isSlow) asked.resolve();
        void (isSlow ? answer.promise : Promise.resolve()).then(() =>
          response.end('{"_id_sys":"usr-ann","email":"x"}'),
        );
      });
      onTestFinished(() => dms[Symbol.asyncDispose]());
      const none = join(folder, 'no such folder');
      const port = await freePort();
      await run(['chmod', '-R', 'a-w', image.root], { ...image, uid: 0 });
      onTestFinished(async () => {
        await run(['chmod', '-R', 'u+w', image.root], { ...image, uid: 0 });
      });
      const before = await tree();
      const gateway = await serving(image.command, {
        ...readPodSettings(),
        DMS_URL: dms.url,
        OTEL_EXPORTER_OTLP_ENDPOINT: await refusingUrl(),
        HOST: '127.0.0.1',
        PORT: `${port}`,
        HOME: none,
        TMPDIR: none,
      });
      const { startupProbe, readinessProbe, livenessProbe } = container;
      for (const { httpGet } of [startupProbe, readinessProbe, livenessProbe]) {
        const probe = async () => (await fetch(`http://127.0.0.1:${port}${httpGet.path}`)).status;
        await expect.poll(probe).toBe(200);
      }
      expect(await ask(port, '{ person(id: "usr-ann") { email } }')).toEqual({
        data: { person: { email: 'x' } },
      });
      const file = await fetch(`http://127.0.0.1:${port}/files/documents/a/b`);
      expect((await file.bytes()).length).toBeGreaterThan(0);

      const slow = ask(port, '{ person(id: "usr-slow") { email } }');
      await asked.promise;
      const stoppedAt = performance.now();
      gateway.kill('SIGTERM');
      await expect.poll(gateway.output).toContain('stopping');
      answer.resolve();
      expect(await slow).toEqual({ data: { person: { email: 'x' } } });
      expect(await once(gateway, 'exit')).toEqual([0, null]);
      const preStopMs = Number(container.lifecycle.preStop.exec.command[1]) * 1000;
      expect(performance.now() - stoppedAt).toBeLessThan(
        terminationGracePeriodSeconds * 1000 - preStopMs,
      );
      expect(await tree()).toEqual(before);
    },
  );

  it('runs the sandbox alone for several gateways', async () => {
    const { command = [] } = compose.services.sandbox;
    const dms = await freePort();
    const local = command.map((word) =>
      word.replace('0.0.0.0', '127.0.0.1').replace('4010', `${dms}`),
    );
    await serving(local, {}, demo);
    const authorization = composeSettings({})['DMS_AUTHORIZATION'] ?? '';
    const settings = {
      HOST: '127.0.0.1',
      DMS_URL: `http://127.0.0.1:${dms}`,
      IDENTITY: 'service',
      DMS_AUTHORIZATION: authorization,
      FILE_URL_SECRET: 'the same secret for every gateway',
    };
    const ports = [await freePort(), await freePort()];
    for (const port of ports) await serving(image.command, { ...settings, PORT: `${port}` });
    const [asked, other] = ports;
    const answer = await ask(asked!, '{ document(id: "DOC-0191") { files { url } } }');
    const { url } = (answer as { data: { document: { files: { url: string }[] } } }).data.document
      .files[0]!;
    const file = await fetch(url.replace(`:${asked}/`, `:${other}/`));
    expect(file.status).toBe(200);
    expect((await file.bytes()).length).toBeGreaterThan(1000);
  });
});

describe('examples/own-fields', () => {
  const ownFields = {
    data: { document: { risk: { score: 0.6 }, invoice: { total: '2587.71' } } },
  };

  /** Asks a gateway with the code of the team for what that adds: a field of a second service, and a typed form. */
  async function askOwnFields(argv: readonly string[], stage: Built): Promise<unknown> {
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());
    const service = createRiskService(() => {}).listen(0, '127.0.0.1');
    await once(service, 'listening');
    onTestFinished(() => void service.close());
    const { port: riskPort } = service.address() as AddressInfo;
    const port = await freePort();
    const settings = {
      HOST: '127.0.0.1',
      PORT: `${port}`,
      DMS_URL: sandbox.url,
      IDENTITY: 'service',
      DMS_AUTHORIZATION: sandbox.authorization,
      RISK_URL: `http://127.0.0.1:${riskPort}`,
    };
    await serving(argv, settings, stage);
    return ask(
      port,
      'query Risk { document(id: "DOC-0191") { risk { score } invoice { total } } }',
    );
  }

  it('builds an image with the configuration, the forms and the packages of a team', async () => {
    const stages = readStages('examples/own-fields/Dockerfile');
    const images = new Map([['dms-graphql-gateway', image]]);
    const options = { context: 'examples/own-fields/', images };
    const team = (await build(stages, join(folder, 'team'), options)).get('')!;
    expect(await installed(join(team.root, 'app/team/node_modules'))).toEqual(['dataloader']);
    expect([team.workdir, team.uid, team.env['NODE_ENV']]).toEqual(['/app', 1000, 'production']);
    expect(await askOwnFields(team.command, team)).toEqual(ownFields);
  }, 120_000);

  it('runs the same files from a ConfigMap in the image of the gateway', async () => {
    const { files, mount, args } = teamOverlay;
    const mounted = join(image.root, mount.mountPath);
    onTestFinished(() => rm(mounted, { recursive: true }));
    // A volume of a ConfigMap contains links to links, so that all files change at once.
    await mkdir(join(mounted, '..2026_11_25'), { recursive: true });
    await symlink('..2026_11_25', join(mounted, '..data'));
    for (const name of files) {
      const source = new URL(`../../examples/own-fields/${name}`, import.meta.url);
      await copyFile(source, join(mounted, '..2026_11_25', name));
      await symlink(join('..data', name), join(mounted, name));
    }
    expect(await askOwnFields(args, image)).toEqual(ownFields);
  });
});

/** Path, size and time of change of every file in the image. */
async function tree(): Promise<string[]> {
  const { output } = await run(['find', image.root, '-printf', String.raw`%p %s %C@\n`], image);
  return output.split('\n').toSorted();
}

/** Starts a command of the image and waits until it prints its URL. */
async function serving(
  argv: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  stage = image,
): Promise<ChildProcess & { readonly output: () => string }> {
  const child = start(argv, stage, settings);
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const output = collectOutput(child);
  await expect.poll(output).toContain('http://127.0.0.1:');
  return Object.assign(child, { output });
}

/** Sends a query that also requests the upstream trace, which production does not return. */
async function ask(port: number, query: string): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-upstream-trace': '1' },
    body: JSON.stringify({ query }),
  });
  return answer.json();
}

/** Packages at the top level of a node_modules directory. */
async function installed(modules: string): Promise<string[]> {
  const names = (await readdir(modules)).filter((name) => !name.startsWith('.'));
  const found = names.map(async (name) => {
    if (!name.startsWith('@')) return [name];
    return (await readdir(join(modules, name))).map((inner) => `${name}/${inner}`);
  });
  return (await Promise.all(found)).flat();
}
