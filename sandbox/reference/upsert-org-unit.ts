import { randomInt } from 'node:crypto';
import { requireRole } from '../caller.ts';
import { json } from '../http/response.ts';
import type { JsonObject } from '../http/request-body.ts';
import { readJson } from '../http/request-body.ts';
import type { Handler } from '../http/handler.ts';
import { timestamp } from '../ids.ts';
import { badRequest } from '../problem.ts';
import type { Service } from '../service.ts';
import type { Database } from '../store/database.ts';
import type { OrgUnit } from '../store/org-units.ts';
import { findOrgUnit, saveOrgUnit } from '../store/org-units.ts';
import { keyField, listField, personField, requirePerson, textField } from './input.ts';
import { unitToWire } from './org-units.ts';

/**
 * POST orgUnit (REST spec, Organizational units). `_id_sys` is the system or external ID of the unit. An unknown one
 * becomes the ID of a new unit. Without one, the new unit gets a new system ID.
 */
export function postOrgUnit({ db }: Service): Handler {
  return async ({ caller, request }) => {
    requireRole(caller, 'elAdminSysRW');
    const body = await readJson(request);
    return db.transaction(() => {
      const key = keyField(body, '_id_sys');
      const known = key === undefined ? undefined : findOrgUnit(db, key);
      const now = timestamp();
      const unit = known ?? emptyUnit(db, key, now);
      const name = textField(body, 'name') ?? unit.name;
      if (name.trim() === '') throw badRequest('name is required.');
      const changed: OrgUnit = {
        ...unit,
        name,
        head: personField(db, body, 'elhead') ?? unit.head,
        members: membersOf(db, body) ?? unit.members,
        modified: now,
        rev: unit.rev + 1,
      };
      saveOrgUnit(db, changed);
      return json(unitToWire(changed), known === undefined ? 201 : 200);
    });
  };
}

function emptyUnit(db: Database, key: string | undefined, now: string): OrgUnit {
  const id = key ?? freeId(db);
  return {
    id,
    externalId: null,
    name: '',
    head: '',
    members: [],
    created: now,
    modified: now,
    rev: 0,
  };
}

function freeId(db: Database): string {
  for (;;) {
    const id = `unit${randomInt(0x10000).toString(16).padStart(4, '0')}`;
    if (findOrgUnit(db, id) === undefined) return id;
  }
}

function membersOf(db: Database, body: JsonObject): string[] | undefined {
  const members = listField(body, 'elmembers')?.map((member) => {
    if (typeof member !== 'string')
      throw badRequest('elmembers must be an array of system ids of persons.');
    requirePerson(db, member, 'elmembers');
    return member;
  });
  return members && [...new Set(members)];
}
