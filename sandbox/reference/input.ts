import type { JsonObject } from '../http/request-body.ts';
import { isFullId } from '../ids.ts';
import { badRequest } from '../problem.ts';
import type { Database } from '../store/database.ts';
import { findPerson } from '../store/persons.ts';

/**
 * A text field of a body. Undefined if omitted.
 * @throws {Problem} 400 with the field name, for anything but a string
 */
export function textField(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw badRequest(`${name} must be a string.`);
  return value;
}

/** As {@link textField}, for IDs by which objects are found: an empty one counts as omitted. */
export function keyField(body: JsonObject, name: string): string | undefined {
  return textField(body, name) || undefined;
}

/** A list field of a body. @throws {Problem} 400 with the field name, for anything but a list */
export function listField(body: JsonObject, name: string): unknown[] | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw badRequest(`${name} must be an array.`);
  return value;
}

/** A full ID. An empty string removes the value. @throws {Problem} 400 with the field name, for anything else */
export function fullIdField(body: JsonObject, name: string): string | undefined {
  const value = textField(body, name);
  if (value !== undefined && value !== '' && !isFullId(value)) {
    throw badRequest(`${name} must be 24 hexadecimal characters.`);
  }
  return value?.toLowerCase();
}

/**
 * The system ID of a person. An empty string removes the value. @throws {Problem} 400 with the field name, if there is
 * no such person
 */
export function personField(db: Database, body: JsonObject, name: string): string | undefined {
  const value = textField(body, name);
  if (value !== undefined && value !== '') requirePerson(db, value, name);
  return value;
}

export function requirePerson(db: Database, id: string, field: string): void {
  if (findPerson(db, id) === undefined)
    throw badRequest(`${field} must be the system id of a person.`);
}
