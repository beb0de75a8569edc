import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

export interface Version {
  readonly version: string;
  readonly commit: string;
}

let known: Version | undefined; // reading it can start git

export function readVersion(): Version {
  return (known ??= findVersion());
}

function findVersion(): Version {
  // In a clone and in the image, this is src/server/telemetry/version.ts; in the package it is below dist/.
  const root = ['../../../', '../../../../']
    .map((path) => new URL(path, import.meta.url))
    .find((url) => existsSync(new URL('package.json', url)))!;
  const { version, gitHead } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
    version: string;
    gitHead?: string;
  };
  return { version, commit: gitHead || commitOfClone(root) };
}

function commitOfClone(root: URL): string {
  if (!existsSync(new URL('.git', root))) return 'unknown';
  try {
    const options = { cwd: root, encoding: 'utf8', stdio: 'pipe' } as const;
    return execFileSync('git', ['rev-parse', 'HEAD'], options).trim();
  } catch {
    return 'unknown'; // git is not installed
  }
}
