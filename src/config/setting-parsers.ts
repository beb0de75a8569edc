import { isIP } from 'node:net';
import { printable } from '../model/common.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export type ObjectType = 'string' | 'number' | 'boolean' | 'list';

export interface Setting<T, N extends string = string> {
  readonly name: N;
  /** @throws {Error} with a message that follows the name, such as "must be …", and contains no secret */
  readonly read: (text: string) => T;
  readonly fallback: T;
  readonly objectType?: ObjectType;
  readonly defaultText: string;
  readonly rangeText?: string;
  readonly description: string;
  /** When to set it, without "Set it" before. */
  readonly whenToSet: string;
  readonly isSecret?: true;
  /** Whether it applies to the process, so that it can be set in its environment only. */
  readonly isOfProcess?: true;
}

export type SettingsTable = Readonly<Record<string, Setting<unknown>>>;

// oxlint-disable-next-line typescript/no-generated-empty-object-type -- every table can stand for it
export type NoSettings = Readonly<Record<never, never>>;

export type ValuesOf<S extends SettingsTable> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never;
};

export function secret<S extends Setting<unknown>>(setting: S): S & { readonly isSecret: true } {
  return { ...setting, isSecret: true };
}

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

export function integer<const N extends string, F extends number | null>(
  name: N,
  fallback: F,
  [from, to]: readonly [number, number],
  description: string,
  whenToSet: string,
): Setting<number | F, N> {
  const read = (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= from && value <= to) return value;
    throw new Error(
      `must be an integer from ${from} to ${to}, not "${printable(text.slice(0, 40))}"`,
    );
  };
  const defaultText = String(fallback ?? '');
  const rangeText = `${from}–${to}`;
  return {
    name,
    read,
    fallback,
    objectType: 'number',
    defaultText,
    rangeText,
    description,
    whenToSet,
  };
}

export function oneOf<const N extends string, const T extends string, F extends T | null>(
  name: N,
  fallback: F,
  among: readonly T[],
  description: string,
  whenToSet: string,
): Setting<T | F, N> {
  const read = (text: string): T => {
    const found = among.find((one) => one === text);
    if (found !== undefined) return found;
    throw new Error(`must be one of ${among.join(', ')}, not "${printable(text.slice(0, 40))}"`);
  };
  return { name, read, fallback, defaultText: fallback ?? '', description, whenToSet };
}

export function onOff<const N extends string, F extends boolean | null>(
  name: N,
  fallback: F,
  description: string,
  whenToSet: string,
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
    whenToSet,
  };
}

function readOnOff(value: string): boolean {
  if (value === 'on' || value === 'off') return value === 'on';
  throw new Error(`must be on or off, not "${printable(value.slice(0, 40))}"`);
}

export function text<const N extends string, F extends string | null>(
  name: N,
  fallback: F,
  description: string,
  whenToSet: string,
  { pattern, must } = { pattern: /^[^\r\n\0]+$/, must: 'must be a single line of text' },
): Setting<string | F, N> {
  const read = (value: string): string => {
    if (pattern.test(value)) return value;
    throw new Error(must);
  };
  return { name, read, fallback, defaultText: fallback ?? '', description, whenToSet };
}

export function optional<const N extends string>(
  name: N,
  read: (text: string) => string,
  description: string,
  whenToSet: string,
): Setting<string | null, N> {
  return { name, read, fallback: null, defaultText: '', description, whenToSet };
}

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

export function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export function list<const N extends string>(
  name: N,
  read: (text: string) => readonly string[],
  description: string,
  whenToSet: string,
): Setting<readonly string[], N> {
  return { name, read, fallback: [], objectType: 'list', defaultText: '', description, whenToSet };
}

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

export function hostName(value: string): string {
  if (isHostName(value) && isIP(value) === 0) return value.toLowerCase();
  throw new Error('must be a host name without a port, such as dms.example');
}

function isHostName(text: string): boolean {
  return /^[\w-]+(?:\.[\w-]+)*$/.test(text);
}

export function hostNames(value: string): string[] {
  const names = value.split(',').map((one) => one.trim().toLowerCase().replace(/\.$/, ''));
  if (names.every((one) => one === '*' || isHostName(one))) return names;
  throw new Error(
    'must be a comma-separated list of host names without ports, such as gateway.example, or *',
  );
}
