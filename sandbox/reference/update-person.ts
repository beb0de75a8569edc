import { randomBytes, scrypt } from 'node:crypto';
import { requireRole } from '../caller.ts';
import { json } from '../http/response.ts';
import type { JsonObject } from '../http/request-body.ts';
import { isObject, readJson } from '../http/request-body.ts';
import type { Handler } from '../http/handler.ts';
import { timestamp } from '../ids.ts';
import { badRequest, notFound } from '../problem.ts';
import type { Service } from '../service.ts';
import type { Database } from '../store/database.ts';
import type { Person } from '../store/persons.ts';
import { findPerson, updatePerson } from '../store/persons.ts';
import { requirePerson, textField } from './input.ts';
import { personToWire } from './persons.ts';

/**
 * POST person: changes the fields in the body (REST spec, Persons). The password is stored as a salted hash and never
 * returned.
 */
export function postPerson({ db }: Service): Handler {
  return async ({ caller, request }) => {
    requireRole(caller, 'elAdminSysRW');
    const body = await readJson(request);
    const id = textField(body, '_id_sys');
    if (id === undefined) throw badRequest('_id_sys is required.');
    const password = textField(body, 'pwd');
    if (password === '') throw badRequest('pwd must not be empty.');
    const passwordHash = password === undefined ? null : await hash(password);

    return db.transaction(() => {
      const person = findPerson(db, id);
      if (person === undefined) throw notFound('There is no such person.');
      const changed: Person = {
        ...person,
        nameFirst: textField(body, 'name_first') ?? person.nameFirst,
        nameMid: textField(body, 'name_mid') ?? person.nameMid,
        nameLast: textField(body, 'name_last') ?? person.nameLast,
        phoneOffice: textField(body, 'phone_office') ?? person.phoneOffice,
        phoneMobile: textField(body, 'phone_mobile') ?? person.phoneMobile,
        unit: textField(body, 'unit') ?? person.unit,
        deputy: deputyOf(db, body) ?? person.deputy,
        modified: timestamp(),
        rev: person.rev + 1,
      };
      updatePerson(db, changed, passwordHash);
      return json(personToWire(changed));
    });
  };
}

function deputyOf(db: Database, { deputy }: JsonObject): Person['deputy'] | undefined {
  if (deputy === undefined) return undefined;
  if (!isObject(deputy)) throw badRequest('deputy must be an object.');
  const { id, enabled } = deputy;
  if (typeof id !== 'string') throw badRequest('deputy.id is required.');
  requirePerson(db, id, 'deputy.id');
  if (enabled !== 'true' && enabled !== 'false') {
    throw badRequest('deputy.enabled must be the string true or false.');
  }
  return { id, enabled };
}

async function hash(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await new Promise<Buffer>((resolve, reject) => {
    scrypt(password, salt, 32, (error, derived) => {
      if (error) reject(error);
      else resolve(derived);
    });
  });
  return `${salt.toString('hex')}:${key.toString('hex')}`;
}
