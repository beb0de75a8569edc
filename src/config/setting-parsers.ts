import { isIP } from 'node:net';
import { printable } from '../model/common.ts';

/** How the value of a setting is written in an object. Each type also accepts the text of the environment. */
export type ObjectType = 'string' | 'number' | 'boolean' | 'list';

/** One environment variable: its parser, its default value and its line in `--help`. */
export interface Setting<T, N extends string = string> {
  readonly name: N;
  /** @throws {Error} with a message that follows the name, such as "must be …", and contains no secret */
  readonly read: (text: string) => T;
  readonly fallback: T;
  /** Default `string`. */
  readonly objectType?: ObjectType;
  /** The default as `--help` shows it. Empty if there is none. */
  readonly defaultText: string;
  /** The accepted values as `--help` shows them, of a number and a switch. */
  readonly rangeText?: string;
  readonly description: string;
  /** Whether the value can also be in a file, whose path is in the variable with the suffix `_FILE`. */
  readonly isSecret?: true;
  /** Whether it applies to the process, so that it can be set in its environment only. */
  readonly isOfProcess?: true;
}

/** Settings by their names in the code. */
export type SettingsTable = Readonly<Record<string, Setting<unknown>>>;

/** A table without rows. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- every table can stand for it
export type NoSettings = Readonly<Record<never, never>>;

/** The values of a table of settings. */
export type ValuesOf<S extends SettingsTable> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never;
};

/** Marks a secret. */
export function secret<S extends Setting<unknown>>(setting: S): S & { readonly isSecret: true } {
  return { ...setting, isSecret: true };
}

/** Marks a setting of the process. */
export function ofProcess<S extends Setting<unknown>>(
  setting: S,
): S & { readonly isOfProcess: true } {
  return { ...setting, isOfProcess: true };
}

/**
 * Maximum of a duration, in milliseconds: one day. `setTimeout` fires at once if its delay is longer than 24.8 days, so
 * the rest of the program can extend every duration without a check.
 */
export const maxDurationMs = 86_400_000;

/**
 * A non-negative integer in decimal digits. Both bounds are inclusive. With null as default, the setting is optional.
 */
export function integer<const N extends string, F extends number | null>(
  name: N,
  fallback: F,
  [from, to]: readonly [number, number],
  description: string,
): Setting<number | F, N> {
  const read = (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= from && value <= to) return value;
    throw new Error(
      `must be an integer from ${from} to ${to}, not "${printable(text.slice(0, 40))}"`,
    );
  };
  const defaultText = String(fallback ?? '');
  const rangeText = `${from} to ${to}`;
  return { name, read, fallback, objectType: 'number', defaultText, rangeText, description };
}

/** One of the words of `among`, compared exactly. */
export function oneOf<const N extends string, const T extends string, F extends T | null>(
  name: N,
  fallback: F,
  among: readonly T[],
  description: string,
): Setting<T | F, N> {
  const read = (text: string): T => {
    const found = among.find((one) => one === text);
    if (found !== undefined) return found;
    throw new Error(`must be one of ${among.join(', ')}, not "${printable(text.slice(0, 40))}"`);
  };
  return { name, read, fallback, defaultText: fallback ?? '', description };
}

/** `on` or `off`. If the default is null, `readConfig` derives it from other settings. */
export function onOff<const N extends string, F extends boolean | null>(
  name: N,
  fallback: F,
  description: string,
): Setting<boolean | F, N> {
  const defaultText = fallback === null ? '' : fallback ? 'on' : 'off';
  return {
    name,
    read: readOnOff,
    fallback,
    objectType: 'boolean',
    defaultText,
    rangeText: 'on, off',
    description,
  };
}

function readOnOff(value: string): boolean {
  if (value === 'on' || value === 'off') return value === 'on';
  throw new Error(`must be on or off, not "${printable(value.slice(0, 40))}"`);
}

/** Text that matches a pattern; by default, a single non-empty line. */
export function text<const N extends string, F extends string | null>(
  name: N,
  fallback: F,
  description: string,
  { pattern, must } = { pattern: /^[^\r\n\0]+$/, must: 'must be a single line of text' },
): Setting<string | F, N> {
  const read = (value: string): string => {
    if (pattern.test(value)) return value;
    throw new Error(must);
  };
  return { name, read, fallback, defaultText: fallback ?? '', description };
}

/** An optional setting. `read` parses its text, as `Setting` describes. */
export function optional<const N extends string>(
  name: N,
  read: (text: string) => string,
  description: string,
): Setting<string | null, N> {
  return { name, read, fallback: null, defaultText: '', description };
}

/** An http or https URL without credentials, query and fragment. Trailing slashes are removed. */
export function httpUrl(value: string): string {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Error('must be an http:// or https:// URL');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new Error('must be a URL without user name, password, query and fragment');
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

/** The URL of a proxy, optionally with user name and password. Error messages never contain it. */
export function proxyUrl(value: string): string {
  const url = URL.parse(value.includes('://') ? value : `http://${value}`);
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== '/' ||
    url.search ||
    url.hash
  ) {
    throw new Error('must be the URL of a proxy without a path, such as http://proxy.example:3128');
  }
  if (!isPercentEncoded(`${url.username}:${url.password}`)) {
    throw new Error('must have a percent-encoded user name and password: write %25 for %');
  }
  return url.href;
}

/** Whether a user name and a password of a URL can be decoded. */
export function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** A list, which is empty by default. `read` parses its text, as `Setting` describes. */
export function list<const N extends string>(
  name: N,
  read: (text: string) => readonly string[],
  description: string,
): Setting<readonly string[], N> {
  return { name, read, fallback: [], objectType: 'list', defaultText: '', description };
}

/** Comma-separated web origins (scheme, host and port). */
export function origins(value: string): string[] {
  const found = value.split(',').map((one) => one.trim());
  for (const one of found) {
    const url = URL.parse(one);
    if (url === null || !/^https?:$/.test(url.protocol) || url.origin !== one) {
      throw new Error('must be a comma-separated list of origins such as https://app.example');
    }
  }
  return found;
}

/** One host name without a port. */
export function hostName(value: string): string {
  if (isHostName(value) && isIP(value) === 0) return value.toLowerCase();
  throw new Error('must be a host name without a port, such as dms.example');
}

function isHostName(text: string): boolean {
  return /^[\w-]+(?:\.[\w-]+)*$/.test(text);
}

/**
 * Comma-separated host names without ports, or `*`. They are converted to lower case, and a trailing dot is removed.
 */
export function hostNames(value: string): string[] {
  const names = value.split(',').map((one) => one.trim().toLowerCase().replace(/\.$/, ''));
  if (names.every((one) => one === '*' || isHostName(one))) return names;
  throw new Error(
    'must be a comma-separated list of host names without ports, such as gateway.example, or *',
  );
}
