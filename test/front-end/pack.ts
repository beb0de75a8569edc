import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { root, runWell } from '../package/run-program.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the packed package. */
    tarball: string;
  }
}

/** Packs the package once for all tests: packing writes to this repository. */
export default async function pack({ provide }: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'packed-'));
  await runWell(root, 'npm', 'pack', '--pack-destination', directory);
  const [name] = await readdir(directory);
  provide('tarball', join(directory, name!));
  return () => rm(directory, { recursive: true });
}
