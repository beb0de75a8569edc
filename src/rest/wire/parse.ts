import type { Meta, Translation } from '../../model/common.ts';
import { RestError } from '../client/rest-error.ts';

/** An object as the DMS sent it: nothing about its properties is certain. */
export type Wire = Readonly<Record<string, unknown>>;

/*
 * Reading is lenient: what has an unexpected type becomes null or empty and never fails a query. Only the
 * container itself and an entity's id are insisted on.
 */

/** @throws {RestError} `UPSTREAM_ERROR` where the answer is not an object */
export function object(value: unknown, request: string): Wire {
  const wire = objectOrNull(value);
  if (wire === null) throw unexpected(request, 'an object', value);
  return wire;
}

/** @throws {RestError} `UPSTREAM_ERROR` where the answer is not an array */
export function array(value: unknown, request: string): readonly unknown[] {
  if (!Array.isArray(value)) throw unexpected(request, 'an array', value);
  return value;
}

/** @throws {RestError} `UPSTREAM_ERROR` where the entity has no id */
export function id(wire: Wire, key: string, request: string): string {
  const found = idOrNull(wire[key]);
  if (found === null) throw unexpected(request, `an entity with ${key}`, wire[key]);
  return found;
}

/**
 * An id that the DMS gave, such as a short id or the id of another object. Null for anything but a string: JSON numbers
 * lose leading zeros and digits, so nothing could be found by such an id. Ids of other systems (`_id_ext`, `govId`) are
 * read as `text`.
 */
export function idOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The members of a list that `idOrNull` takes for ids. */
export function idList(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.map(idOrNull).filter((member) => member !== null);
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

/** Members that are objects with anything in them; null, `{}` and the like are one more way to say nothing. */
export function objects(value: unknown): Wire[] {
  if (!Array.isArray(value)) return [];
  return value.filter((member) => isObject(member) && Object.keys(member).length > 0);
}

/** Text; null for the empty one, which is how the DMS says that something is unset. */
export function text(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

export function texts(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.map(text).filter((member) => member !== null);
}

/** Anything that is a number, also written as text. */
export function number(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || value.trim() === '') return null;
  const parsed = Number(value);
  return Number.isFinite(parsed) ? parsed : null;
}

/** An integer of 32 bits, which is what GraphQL's Int holds. */
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

const iso = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * A point in time, ISO 8601 in UTC; as it came where it already is. Without a zone it is taken for UTC, which the
 * specification says of all of them.
 */
export function timestamp(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const match = iso.exec(value);
  if (match === null) return null;
  const zone = match[1];
  const withTime = value.length > 10;
  const ms = Date.parse(withTime && zone === undefined ? `${value}Z` : value);
  if (Number.isNaN(ms)) return null;
  return zone === 'Z' && value[10] === 'T' ? value : new Date(ms).toISOString();
}

export function meta(value: unknown): Meta | null {
  const wire = objectOrNull(value);
  if (wire === null) return null;
  return {
    createdAt: timestamp(wire['_created']),
    modifiedAt: timestamp(wire['_lastmodified']),
    revision: int(wire['_rev']),
  };
}

/** An object from language to text, in its order. A bare text has no language. */
export function translations(value: unknown): Translation[] {
  if (typeof value === 'string') return value === '' ? [] : [{ language: '', text: value }];
  const found: Translation[] = [];
  for (const [language, translated] of Object.entries(objectOrNull(value) ?? {})) {
    const translatedText = text(translated);
    if (translatedText !== null) found.push({ language, text: translatedText });
  }
  return found;
}

/** `key` itself (no language) and its variants `key_xx`, in the order of the DMS. */
export function suffixedTranslations(wire: Wire, key: string): Translation[] {
  const found: Translation[] = [];
  for (const [name, value] of Object.entries(wire)) {
    if (name !== key && !name.startsWith(`${key}_`)) continue;
    const translatedText = text(value);
    if (translatedText !== null)
      found.push({ language: name.slice(key.length + 1), text: translatedText });
  }
  return found;
}
