import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates an empty directory, which is removed when the test ends. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Writes a file in a directory of its own, which is removed when the test ends. Returns its path. */
export function temporaryFile(name: string, content: string | Buffer): string {
  const path = join(temporaryDirectory(), name);
  writeFileSync(path, content);
  return path;
}
