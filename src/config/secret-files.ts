import { readFileSync, statSync } from 'node:fs';
import { secretKeys, settings } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Names of the variables for secrets in files, each with the name of its secret. */
export const secretFileNames: ReadonlyMap<string, string> = new Map(
  secretKeys.map((key) => [`${settings[key].name}_FILE`, settings[key].name]),
);

/** Maximum size of a secret file, in bytes. A private key has less than 16 KiB. */
const maxFileBytes = 64 * 1024;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Whether any secret is in a file. */
export function hasSecretFiles(env: Environment): boolean {
  return secretFileNames.keys().some((name) => env[name]);
}

/**
 * Reads the secrets whose files the environment names, by the names of their settings. A line break at the end of a file
 * is not part of the secret. Adds what is wrong to `problems`, by the name of the secret.
 */
export function readSecretFiles(
  env: Environment,
  problems: Map<string, string>,
): Record<string, string> {
  const secrets: Record<string, string> = {};
  for (const [fileName, name] of secretFileNames) {
    const path = env[fileName];
    if (!path) continue;
    try {
      if (env[name]) throw new Error(`cannot be used with ${name}`);
      secrets[name] = readSecret(path);
    } catch (error) {
      problems.set(name, `${fileName} ${error instanceof Error ? error.message : ''}`);
    }
  }
  return secrets;
}

function readSecret(path: string): string {
  const text = readTextFile(path).replace(/\r?\n$/, '');
  if (text !== '') return text;
  throw new Error(`is empty: ${path}`);
}

/** Reads no pipes and devices, which could take forever, and no bytes that other programs would read differently. */
function readTextFile(path: string): string {
  try {
    const file = statSync(path);
    if (file.isFile() && file.size <= maxFileBytes) return utf8.decode(readFileSync(path));
  } catch (cause) {
    throw new Error(`cannot be read: ${(cause as NodeJS.ErrnoException).code}, ${path}`, { cause });
  }
  throw new Error(`must be a regular file of at most ${maxFileBytes} bytes: ${path}`);
}
