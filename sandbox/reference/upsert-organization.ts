import type { Caller } from '../caller.ts';
import { requireRole } from '../caller.ts';
import { json } from '../http/response.ts';
import type { JsonObject } from '../http/request-body.ts';
import { readJson } from '../http/request-body.ts';
import type { Handler } from '../http/handler.ts';
import { param } from '../http/handler.ts';
import { newFullId, timestamp } from '../ids.ts';
import { badRequest } from '../problem.ts';
import type { Service } from '../service.ts';
import type { Database } from '../store/database.ts';
import { findListValue } from '../store/list-values.ts';
import type { Organization, OrganizationBody } from '../store/organizations.ts';
import {
  deleteOrganization,
  locateOrganization,
  saveOrganization,
} from '../store/organizations.ts';
import { nextNumber } from '../store/schema.ts';
import { fullIdField, keyField, listField, personField, textField } from './input.ts';
import { locate, organizationToWire, organizationToWireV1 } from './organizations.ts';

/** The properties in the body of either version. Undefined ones are not changed. */
interface Change {
  readonly keys: {
    fullId?: string | undefined;
    externalId?: string | undefined;
    govId?: string | undefined;
  };
  readonly externalId?: string | undefined;
  readonly govId?: string | undefined;
  readonly body: { readonly [Key in keyof OrganizationBody]?: OrganizationBody[Key] | undefined };
}

/** POST v2 crm/org (REST spec, CRM organizations): 200 for an update, 201 for a creation. */
export function postOrganization(service: Service): Handler {
  return write(service, changeV2, organizationToWire);
}

/** POST v1 crm/org: finds organizations by full ID only. */
export function postOrganizationV1(service: Service): Handler {
  return write(service, changeV1, organizationToWireV1);
}

/** DELETE v2 crm/org/{id}: the response body is JSON null. */
export function removeOrganization({ db }: Service): Handler {
  return (context) => {
    requireRole(context.caller, 'elAdminCrmRW');
    return db.transaction(() => {
      deleteOrganization(db, locate({ db }, param(context, 'id')).id);
      return json(null);
    });
  };
}

function write(
  { db }: Service,
  changeOf: (db: Database, body: JsonObject) => Change,
  toWire: (organization: Organization) => Record<string, unknown>,
): Handler {
  return async ({ caller, request }) => {
    requireRole(caller, 'elAdminCrmRW');
    const body = await readJson(request);
    return db.transaction(() => {
      const change = changeOf(db, body);
      const known = locateOrganization(db, change.keys);
      const changed = applied(known ?? emptyOrganization(db, caller), change);
      if (changed.body.name.trim() === '') throw badRequest('name is required.');
      refuseTakenIds(db, changed);
      saveOrganization(db, changed);
      return json(toWire(changed), known === undefined ? 201 : 200);
    });
  };
}

function changeV2(db: Database, body: JsonObject): Change {
  const externalId = textField(body, '_id_ext');
  const govId = textField(body, 'govId');
  return {
    keys: {
      fullId: keyField(body, '_id')?.toLowerCase(),
      externalId: externalId || undefined,
      govId: govId || undefined,
    },
    externalId,
    govId,
    body: {
      owner: personField(db, body, 'owner'),
      notes: textField(body, 'notes'),
      name: textField(body, 'name'),
      nameExt: listField(body, 'nameExt'),
      areaId: listValueField(db, body, 'areaId'),
      typeId: listValueField(db, body, 'typeId'),
    },
  };
}

function changeV1(db: Database, body: JsonObject): Change {
  return {
    keys: { fullId: keyField(body, '_id')?.toLowerCase() },
    govId: textField(body, 'orgstateid'),
    body: {
      owner: personField(db, body, 'owner'),
      notes: textField(body, 'description'),
      name: textField(body, 'orgname'),
      nameExt: listField(body, 'orgnameext'),
      tags: body.tags,
      cfdata: listField(body, 'cfdata'),
    },
  };
}

/** An empty string or the ID of a list value. @throws {Problem} 400 with the field name, for anything else */
function listValueField(db: Database, body: JsonObject, name: string): string | undefined {
  const id = fullIdField(body, name);
  if (id !== undefined && id !== '' && findListValue(db, id) === undefined) {
    throw badRequest(`${name} must be the full id of a list value.`);
  }
  return id;
}

function emptyOrganization(db: Database, caller: Caller): Organization {
  const now = timestamp();
  return {
    id: newFullId(),
    webId: `ORG-${String(nextNumber(db, 'organization')).padStart(4, '0')}`,
    externalId: null,
    govId: null,
    body: { author: caller.actorId, name: '' },
    created: now,
    modified: now,
    rev: 0,
  };
}

function applied(organization: Organization, change: Change): Organization {
  const given = Object.entries(change.body).filter(([, value]) => value !== undefined);
  const merged: OrganizationBody = { ...organization.body, ...Object.fromEntries(given) };
  const { areaId, typeId, ...rest } = merged;
  return {
    ...organization,
    externalId:
      change.externalId === undefined ? organization.externalId : change.externalId || null,
    govId: change.govId === undefined ? organization.govId : change.govId || null,
    body: { ...rest, ...(areaId ? { areaId } : {}), ...(typeId ? { typeId } : {}) },
    modified: timestamp(),
    rev: organization.rev + 1,
  };
}

/** Checks that no other organization has the same external or government ID, which would make it impossible to find. */
function refuseTakenIds(db: Database, { id, externalId, govId }: Organization): void {
  for (const [field, key] of [
    ['_id_ext', { externalId: externalId ?? undefined }],
    ['govId', { govId: govId ?? undefined }],
  ] as const) {
    const holder = locateOrganization(db, key);
    if (holder !== undefined && holder.id !== id) {
      throw badRequest(`${field} is in use by another organization.`);
    }
  }
}
