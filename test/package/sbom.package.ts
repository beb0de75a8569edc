import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { root, runWell } from './run-program.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** `name@version` of the production packages, as the lockfile has them. */
function productionPackages(): string[] {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { name?: string; version: string; dev?: true; optional?: true }>;
  };
  const found = Object.entries(packages)
    .filter(([path, { dev, optional }]) => path && !(dev || optional))
    .map(([path, { name = path.split('node_modules/').at(-1), version }]) => `${name}@${version}`);
  return [...new Set(found)].toSorted();
}

beforeAll(async () => {
  await runWell(root, 'npm', 'run', 'sbom');
});

describe('npm run sbom', () => {
  it('lists exactly the production packages in CycloneDX', () => {
    const { bomFormat, components } = JSON.parse(read('release/sbom.cdx.json')) as {
      bomFormat: string;
      components: { purl: string }[];
    };
    expect(bomFormat).toBe('CycloneDX');
    const names = components.map(({ purl }) =>
      decodeURIComponent(/^pkg:npm\/([^?]+)/.exec(purl)![1]!),
    );
    expect([...new Set(names)].toSorted()).toEqual(productionPackages());
  });

  it('names the licence of each', () => {
    const [head, ...rows] = read('release/licences.csv').trimEnd().split('\n');
    expect(head).toBe('package,version,licence');
    const found = rows.map((row) => row.split(','));
    expect(found.map(([name, version]) => `${name}@${version}`).toSorted()).toEqual(
      productionPackages(),
    );
    const licences = new Set(found.map(([, , licence = '']) => licence));
    // All of them allow use and distribution, with their texts.
    expect([...licences].toSorted()).toEqual([
      '0BSD',
      'Apache-2.0',
      'BSD-3-Clause',
      'BlueOak-1.0.0',
      'ISC',
      'MIT',
    ]);
  });
});
