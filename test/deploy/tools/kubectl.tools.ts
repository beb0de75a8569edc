import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { kustomization, readManifests, validateManifest, type Manifest } from '../kubernetes.ts';

// Debian has no current kubectl, so a machine without one, also with CI set, runs the other tests of deploy/kubernetes.
const isInstalled = spawnSync('kubectl', ['version', '--client']).status === 0;
if (!isInstalled) {
  process.stdout.write('\nThe test of the kustomization is skipped: kubectl is not installed\n');
}

describe('deploy/kubernetes', () => {
  it.runIf(isInstalled)('is built by kubectl kustomize', () => {
    const built = execFileSync('kubectl', [
      'kustomize',
      fileURLToPath(new URL('../../../deploy/kubernetes', import.meta.url)),
    ]).toString();
    const objects = parseAllDocuments(built).map((document) => document.toJS() as Manifest);
    expect(objects.flatMap(validateManifest)).toEqual([]);
    expect(objects.map(({ kind }) => kind).toSorted()).toEqual(
      [
        ...kustomization.resources.flatMap(readManifests).map(({ kind }) => kind),
        'ConfigMap',
      ].toSorted(),
    );
    expect(built).toMatch(/image: registry\.example\.com\/dms-graphql-gateway:\d/);
    expect(built).toMatch(/configMapRef:\n\s+name: dms-gateway-[a-z0-9]{10}\n/);
  });
});
