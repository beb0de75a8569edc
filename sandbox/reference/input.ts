import type { JsonObject } from '../http/request-body.ts';
import { isFullId } from '../ids.ts';
import { badRequest } from '../problem.ts';
import type { Database } from '../store/database.ts';
import { findPerson } from '../store/persons.ts';

/**
 * A text field of a body; undefined where it is left out.
 * @throws {Problem} 400, naming the field, for anything but a string.
 */
export function textField(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw badRequest(`${name} must be a string.`);
  return value;
}

/** As {@link textField}, for the ids that things are located by: an empty one counts as left out. */
export function keyField(body: JsonObject, name: string): string | undefined {
  return textField(body, name) || undefined;
}

/** @throws {Problem} 400, naming the field, for anything but a list. */
export function listField(body: JsonObject, name: string): unknown[] | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw badRequest(`${name} must be an array.`);
  return value;
}

/** A full id; an empty string unsets. @throws {Problem} 400, naming the field, for anything else. */
export function fullIdField(body: JsonObject, name: string): string | undefined {
  const value = textField(body, name);
  if (value !== undefined && value !== '' && !isFullId(value)) {
    throw badRequest(`${name} must be 24 hexadecimal characters.`);
  }
  return value?.toLowerCase();
}

/** A person's system id; an empty string unsets. @throws {Problem} 400, naming the field, for nobody. */
export function personField(db: Database, body: JsonObject, name: string): string | undefined {
  const value = textField(body, name);
  if (value !== undefined && value !== '') requirePerson(db, value, name);
  return value;
}

export function requirePerson(db: Database, id: string, field: string): void {
  if (findPerson(db, id) === undefined)
    throw badRequest(`${field} must be the system id of a person.`);
}
