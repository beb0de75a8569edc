/** One environment variable: how its text is read, what it is without one, and its line in the help. */
export interface Setting<T> {
  readonly name: string;
  /** @throws {Error} whose message follows the name: "must be …". A secret is never part of it. */
  readonly read: (text: string) => T;
  readonly fallback: T;
  /** The default, as the help shows it. */
  readonly defaultText: string;
  readonly description: string;
}

export const maxTimerMs = 2 ** 31 - 1; // setTimeout cannot wait longer

/** A whole number; both ends are allowed. */
export function integer<F extends number | null>(
  name: string,
  fallback: F,
  [from, to]: readonly [number, number],
  description: string,
): Setting<number | F> {
  const read = (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= from && value <= to) return value;
    throw new Error(`must be an integer from ${from} to ${to}, not "${text.slice(0, 40)}"`);
  };
  return { name, read, fallback, defaultText: String(fallback ?? ''), description };
}

/** One of several words. */
export function oneOf<const T extends string, F extends T | null>(
  name: string,
  fallback: F,
  among: readonly T[],
  description: string,
): Setting<T | F> {
  const read = (text: string): T => {
    const found = among.find((one) => one === text);
    if (found !== undefined) return found;
    throw new Error(`must be one of ${among.join(', ')}, not "${text.slice(0, 40)}"`);
  };
  return { name, read, fallback, defaultText: fallback ?? '', description };
}

/** `on` or `off`; a null default is settled elsewhere. */
export function onOff<F extends boolean | null>(
  name: string,
  fallback: F,
  description: string,
): Setting<boolean | F> {
  const defaultText = fallback === null ? '' : fallback ? 'on' : 'off';
  return { name, read: readOnOff, fallback, defaultText, description };
}

function readOnOff(value: string): boolean {
  if (value === 'on' || value === 'off') return value === 'on';
  throw new Error(`must be on or off, not "${value.slice(0, 40)}"`);
}

/** Text of one shape; without a shape, one line. */
export function text<F extends string | null>(
  name: string,
  fallback: F,
  description: string,
  { pattern, must } = { pattern: /^[^\r\n\0]+$/, must: 'must be a single line of text' },
): Setting<string | F> {
  const read = (value: string): string => {
    if (pattern.test(value)) return value;
    throw new Error(must);
  };
  return { name, read, fallback, defaultText: fallback ?? '', description };
}

/** An http or https address, read without a slash at its end. */
export function httpUrl(name: string, description: string): Setting<string | null> {
  return { name, read: readHttpUrl, fallback: null, defaultText: '', description };
}

function readHttpUrl(value: string): string {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Error('must be an http:// or https:// URL');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new Error('must be a URL without user name, password, query and fragment');
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

/** Address of a Redis, with credentials and database if it needs them. Never part of a message. */
export function redisUrl(name: string, description: string): Setting<string | null> {
  return { name, read: readRedisUrl, fallback: null, defaultText: '', description };
}

function readRedisUrl(value: string): string {
  const url = URL.parse(value);
  if (url !== null && /^rediss?:$/.test(url.protocol) && url.hostname && !url.search && !url.hash) {
    if (/^\/?\d*$/.test(url.pathname)) return value;
  }
  throw new Error(
    'must be a redis:// or rediss:// URL without query and fragment, such as redis://host:6379/0',
  );
}

/** Web origins, separated by commas. */
export function origins(name: string, description: string): Setting<readonly string[]> {
  return { name, read: readOrigins, fallback: [], defaultText: '', description };
}

function readOrigins(value: string): string[] {
  const list = value.split(',').map((one) => one.trim());
  for (const one of list) {
    const url = URL.parse(one);
    if (url === null || !/^https?:$/.test(url.protocol) || url.origin !== one) {
      throw new Error('must be a comma-separated list of origins such as https://app.example');
    }
  }
  return list;
}

/** Host names without ports, separated by commas, read in lower case and without a dot at their end. */
export function hostNames(name: string, description: string): Setting<readonly string[]> {
  return { name, read: readHostNames, fallback: [], defaultText: '', description };
}

function readHostNames(value: string): string[] {
  const list = value.split(',').map((one) => one.trim().toLowerCase().replace(/\.$/, ''));
  if (list.every((one) => one === '*' || /^[\w-]+(?:\.[\w-]+)*$/.test(one))) return list;
  throw new Error(
    'must be a comma-separated list of host names without ports, such as gateway.example, or *',
  );
}
