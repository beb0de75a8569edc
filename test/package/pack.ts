import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { root, runWell } from './run-program.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the packed package. */
    tarball: string;
  }
}

/**
 * Packs the package once for all tests, because packing writes to this repository, unless TARBALL is the path of a packed
 * one.
 */
export default async function pack({
  provide,
}: TestProject): Promise<(() => Promise<void>) | undefined> {
  const packed = process.env['TARBALL'];
  if (packed !== undefined) {
    provide('tarball', packed);
    return undefined;
  }
  const directory = await mkdtemp(join(tmpdir(), 'packed-'));
  await runWell(root, 'npm', 'pack', '--pack-destination', directory);
  const [name] = await readdir(directory);
  provide('tarball', join(directory, name!));
  return () => rm(directory, { recursive: true });
}
