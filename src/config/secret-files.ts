import { readFileSync } from 'node:fs';
import { secretKeys, settings } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Names of the variables for secrets in files, each with the name of its secret. */
export const secretFileNames: ReadonlyMap<string, string> = new Map(
  secretKeys.map((key) => [`${settings[key].name}_FILE`, settings[key].name]),
);

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
  let text: string;
  try {
    text = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new Error(`cannot be read: ${(error as NodeJS.ErrnoException).code}, ${path}`, {
      cause: error,
    });
  }
  if (text !== '') return text;
  throw new Error(`is empty: ${path}`);
}
