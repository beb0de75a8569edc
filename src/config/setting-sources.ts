import { readFileSync, statSync } from 'node:fs';
import { messageOf } from '../model/common.ts';
import {
  allSettings,
  ConfigError,
  readConfig,
  secretFilesOf,
  unknownSetting,
  type Settings,
  type SettingsExtension,
} from './read-config.ts';
import type { Environment, ObjectType, SettingsTable } from './setting-parsers.ts';
import { settings } from './settings.ts';

type Input<T> = T extends null
  ? never
  : T extends boolean
    ? boolean | 'on' | 'off'
    : T extends number
      ? number | string
      : T extends readonly string[]
        ? string | readonly string[]
        : T;

/**
 * Settings under the names of their environment variables, which the docs page settings.md describes. Missing,
 * undefined and empty values count as unset. Those of the process are not among them.
 */
export type SettingsInput<S extends SettingsTable> = {
  readonly [K in keyof S as S[K] extends { readonly isOfProcess: true } ? never : S[K]['name']]?:
    | Input<S[K]['fallback']>
    | undefined;
};

const expectedTypes: Readonly<Record<ObjectType, string>> = {
  string: 'a string',
  number: 'a number or a string',
  boolean: 'a boolean or a string',
  list: 'a string or a list of strings',
};

export function readSettings(
  input: object,
  extensions: readonly SettingsExtension[],
  defaults: Readonly<Record<string, unknown>> = {},
): Settings {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new ConfigError('The settings must be an object');
  }
  const problems = new Map<string, string>();
  const table = allSettings(extensions);
  const texts = {
    ...textsOf(table, defaults, new Map()),
    ...textsOf(table, withoutUnset(input), problems),
  };
  return readConfig(texts, extensions, problems);
}

/**
 * Validates the environment as `readConfig` does, with its secrets in files, and with the settings of a configuration
 * file for variables that are not set.
 */
export function readEnvironment(
  variables: Environment,
  extensions: readonly SettingsExtension[],
  settingsOfFile: object = {},
): Settings {
  const problems = new Map<string, string>();
  const table = allSettings(extensions);
  const files = secretFilesOf(table);
  const texts = textsOf(table, withoutUnset(settingsOfFile), problems);
  const env = withProxies(variables);
  const secrets = readSecretFiles(env, files, problems);
  const config = readConfig(
    { ...texts, ...withoutUnset(env), ...secrets } as Record<string, string>,
    extensions,
    problems,
  );
  return { ...config, warnings: [...config.warnings, ...secretFileWarnings(env, files)] };
}

function withProxies(env: Environment): Environment {
  const names = [settings.httpsProxy.name, settings.httpProxy.name, settings.noProxy.name];
  const found = names.map((name) => [name, env[name.toLowerCase()] || env[name]]);
  return { ...env, ...Object.fromEntries(found) };
}

/** The values as the environment would have them. Adds what is wrong to `problems`, by the name of the setting. */
function textsOf(
  table: SettingsTable,
  values: Readonly<Record<string, unknown>>,
  problems: Map<string, string>,
): Record<string, string> {
  const texts: Record<string, string> = {};
  const byName = new Map(Object.values(table).map((setting) => [setting.name, setting]));
  for (const [name, value] of Object.entries(values)) {
    const setting = byName.get(name);
    if (setting === undefined) problems.set(name, unknownSetting(name, table));
    else if (setting.isOfProcess) {
      problems.set(name, `${name} can be set in the environment of the command only`);
    } else {
      const { objectType = 'string' } = setting;
      const text = textOf(value, objectType);
      if (text === null) problems.set(name, `${name} must be ${expectedTypes[objectType]}`);
      else texts[name] = text;
    }
  }
  return texts;
}

function withoutUnset(input: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== undefined && value !== ''),
  );
}

/** The value as the environment would have it. Null if it does not have the type. */
function textOf(value: unknown, objectType: ObjectType): string | null {
  if (typeof value === 'string') return value;
  if (objectType === 'number' && typeof value === 'number') return String(value);
  if (objectType === 'boolean' && typeof value === 'boolean') return value ? 'on' : 'off';
  if (objectType === 'list' && isListOfStrings(value)) return value.join(',');
  return null;
}

function isListOfStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

const maxFileBytes = 64 * 1024;
const utf8 = new TextDecoder('utf-8', { fatal: true });

export function hasSecretFiles(env: Environment, table: SettingsTable): boolean {
  return secretFilesOf(table)
    .keys()
    .some((name) => env[name]);
}

/**
 * Reads the secrets whose files the environment names, by the names of their settings. A line break at the end of a file
 * is not part of the secret. Adds what is wrong to `problems`, by the name of the secret.
 */
function readSecretFiles(
  env: Environment,
  files: ReadonlyMap<string, string>,
  problems: Map<string, string>,
): Record<string, string> {
  const secrets: Record<string, string> = {};
  for (const [fileName, name] of files) {
    const path = env[fileName];
    if (!path) continue;
    try {
      if (env[name]) throw new Error(`cannot be used with ${name}`);
      secrets[name] = readSecret(path);
    } catch (error) {
      problems.set(name, `${fileName} ${messageOf(error)}`);
    }
  }
  return secrets;
}

function readSecret(path: string): string {
  const text = readTextFile(path).replace(/\r?\n$/, '');
  if (text !== '') return text;
  throw new Error(`is empty: ${path}`);
}

function secretFileWarnings(env: Environment, files: ReadonlyMap<string, string>): string[] {
  if (process.platform === 'win32') return [];
  return [...files.keys()].flatMap((fileName) => {
    const path = env[fileName];
    const mode = (path && statSync(path, { throwIfNoEntry: false })?.mode) || 0;
    const others = [mode & 0o4 ? 'read' : [], mode & 0o2 ? 'write' : []].flat();
    if (others.length === 0) return [];
    return `${fileName}: every user can ${others.join(' and ')} ${path}. Run \`chmod o-rw\``;
  });
}

/**
 * Reads a file of UTF-8 text: no pipes and devices, which could take forever, and no bytes that other programs would
 * read differently.
 */
export function readTextFile(path: string, maxBytes: number = maxFileBytes): string {
  try {
    const file = statSync(path);
    if (file.isFile() && file.size <= maxBytes) return utf8.decode(readFileSync(path));
  } catch (cause) {
    throw new Error(`cannot be read: ${(cause as NodeJS.ErrnoException).code}, ${path}`, { cause });
  }
  throw new Error(`must be a regular file of at most ${maxBytes} bytes: ${path}`);
}
