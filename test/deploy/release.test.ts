import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

interface Job {
  readonly if?: string;
  readonly needs?: string;
  readonly container?: string;
  readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
}

const { jobs, permissions } = parse(read('.github/workflows/release.yml')) as {
  jobs: { build: Job; publish: Job };
  permissions: object;
};
const commands = ({ steps }: Job): string[] => steps.flatMap(({ run }) => run ?? []);

it('has one version, which the changelog explains', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const files = [
    'package-lock.json',
    'deploy/kubernetes/kustomization.yaml',
    'deploy/helm/Chart.yaml',
  ];
  const pages = ['docs/extend.md', 'docs/front-end.md', 'docs/front-end-tests.md'];
  const named = [
    ...files.map((file) => [file, /"?(?:version|newTag)"?: "?([\d.]+)/.exec(read(file))?.[1]]),
    ...pages.flatMap((file) =>
      [...read(file).matchAll(/dms-graphql-gateway-([\d.]+)\.tgz/g)].map(([, name]) => [
        file,
        name,
      ]),
    ),
  ];
  expect(named.filter(([, name]) => name !== version)).toEqual([]);
  expect(read('CHANGELOG.md')).toContain(`\n## ${version}\n`);
});

describe('the release workflow', () => {
  it('publishes only if the repository says so', () => {
    expect(permissions).toEqual({ contents: 'read' });
    expect(jobs.publish).toMatchObject({ if: `vars.PUBLISH == 'true'`, needs: 'build' });
    expect(commands(jobs.build).join('\n')).not.toMatch(/publish|push/);
  });
});
