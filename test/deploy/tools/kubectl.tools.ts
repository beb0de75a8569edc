import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { kustomization, readManifests, validateManifest, type Manifest } from '../kubernetes.ts';

describe('deploy/kubernetes', () => {
  // Debian has no current kubectl: this runs if one is installed.
  it.runIf(spawnSync('kubectl', ['version', '--client']).status === 0)(
    'is built by kubectl kustomize',
    () => {
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
    },
  );
});
