import type { IncomingHttpHeaders } from 'node:http';
import type { Meta, Translation, Page } from '../../model/common.ts';
import { canonicalId, isValidId } from '../../model/resource.ts';
import { parseTimestamp } from '../../model/timestamp.ts';
import { singleValue } from '../client/transport/header-values.ts';
import { RestError } from '../client/rest-error.ts';
import type { CallResult } from '../client/call/call.ts';

export type Wire = Readonly<Record<string, unknown>>;

/*
 * Parsing is lenient: a value of an unexpected type becomes null or empty and never fails a query. Only the container
 * and the ID of an entity are mandatory.
 */

export function object(value: unknown, request: string): Wire {
  const wire = objectOrNull(value);
  if (wire === null) throw unexpected(request, 'an object', value);
  return wire;
}

export function array(value: unknown, request: string): readonly unknown[] {
  if (!Array.isArray(value)) throw unexpected(request, 'an array', value);
  return value;
}

export function id(wire: Wire, key: string, request: string): string {
  // An entity can be read although the gateway could not request it by this ID.
  const found = shownId(wire[key]);
  if (found === null) throw unexpected(request, `an entity with ${key}`, wire[key]);
  return canonicalId(found);
}

/**
 * An ID that is only shown, such as a short ID. Null for anything but a non-empty string: a JSON number loses leading
 * zeros and digits.
 */
export function shownId(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/**
 * The ID of another object. Null for anything by which no object can be requested, such as `a/b`. IDs of other systems
 * (`_id_ext`, `govId`) are read as `text`.
 */
export function idOrNull(value: unknown): string | null {
  const found = shownId(value);
  return found !== null && isValidId(found) ? canonicalId(found) : null;
}

function unexpected(request: string, expected: string, value: unknown): RestError {
  const got = value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value;
  return new RestError('UPSTREAM_ERROR', request, { expected, got });
}

export function objectOrNull(value: unknown): Wire | null {
  return isObject(value) ? value : null;
}

function isObject(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function nonEmptyObject(value: unknown): Wire | null {
  return isObject(value) && Object.keys(value).length > 0 ? value : null;
}

export function members<T>(value: unknown, translate: (member: unknown) => T | null): T[] {
  const list: T[] = [];
  if (!Array.isArray(value)) return list;
  for (const member of value) {
    const translated = translate(member);
    if (translated !== null) list.push(translated);
  }
  return list;
}

export function objects<T>(value: unknown, translate: (wire: Wire) => T): T[] {
  return members(value, (member) => {
    const wire = nonEmptyObject(member);
    return wire && translate(wire);
  });
}

export function text(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

export function number(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || value.trim() === '') return null;
  const parsed = Number(value);
  return Number.isFinite(parsed) ? parsed : null;
}

export function int(value: unknown): number | null {
  const parsed = number(value);
  // oxlint-disable-next-line no-bitwise
  return parsed !== null && (parsed | 0) === parsed ? parsed : null;
}

export function bool(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 1 || value === '1') return true;
  return value === 'false' || value === 0 || value === '0' ? false : null;
}

const plainUtc =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d+)?Z$/;

export function timestamp(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  if (plainUtc.test(value)) return value; // nearly every one; parsing takes five times as long
  const time = parseTimestamp(value);
  if (time === null) return null;
  return time.isUtc ? value : new Date(time.ms).toISOString();
}

export function meta(value: unknown): Meta | null {
  const wire = objectOrNull(value);
  return wire === null ? null : new WireMeta(wire);
}

class WireMeta implements Meta {
  readonly #wire: Wire;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  get createdAt(): string | null {
    return timestamp(this.#wire['_created']);
  }

  get modifiedAt(): string | null {
    return timestamp(this.#wire['_lastmodified']);
  }

  get revision(): number | null {
    return int(this.#wire['_rev']);
  }
}

export function translations(value: unknown): Translation[] {
  if (typeof value === 'string') return value === '' ? [] : [{ language: '', text: value }];
  return translationsFrom(objectOrNull(value) ?? {}, (name) => name);
}

export function suffixedTranslations(wire: Wire, key: string): Translation[] {
  const languageOf = (name: string): string | null =>
    name === key || name.startsWith(`${key}_`) ? name.slice(key.length + 1) : null;
  return translationsFrom(wire, languageOf);
}

function translationsFrom(wire: Wire, languageOf: (name: string) => string | null): Translation[] {
  const found: Translation[] = [];
  for (const [name, value] of Object.entries(wire)) {
    const language = languageOf(name);
    const translatedText = language === null ? null : text(value);
    if (translatedText !== null) found.push({ language: language!, text: translatedText });
  }
  return found;
}

export function pageFromWire<T>(
  { body, headers, request }: Pick<CallResult, 'body' | 'headers' | 'request'>,
  pageSize: number,
  itemFromWire: (item: unknown, request: string) => T,
): Page<T> {
  const items = array(body, request).slice(0, pageSize);
  return {
    items: items.map((item) => itemFromWire(item, request)),
    totalCount: totalCountFrom(headers),
  };
}

/**
 * Total number of items of a paged list. Null if the DMS does not send it. The specification has two names of the
 * header.
 * @see REST spec, Documents 3 and CRM organizations
 */
export function totalCountFrom(headers: IncomingHttpHeaders): number | null {
  const count =
    int(singleValue(headers, 'svc-total-count')) ?? int(singleValue(headers, 'x-total-count'));
  return count !== null && count >= 0 ? count : null;
}

export type Writable<T> = { -readonly [K in keyof T]: T[K] };

export interface Property<T> {
  readonly names: readonly string[];
  readonly embed?: readonly string[];
  readonly set: (to: Writable<T>, wire: Wire, request: string) => void;
}

export function namesOf(properties: readonly Pick<Property<unknown>, 'names' | 'embed'>[]): {
  fields: string[];
  embed: string[];
} {
  return {
    fields: [...new Set(properties.flatMap(({ names }) => names))],
    embed: [...new Set(properties.flatMap(({ embed = [] }) => embed))],
  };
}
