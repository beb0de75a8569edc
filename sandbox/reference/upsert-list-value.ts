import { requireRole } from '../caller.ts';
import type { Caller } from '../caller.ts';
import { json } from '../http/response.ts';
import type { JsonObject } from '../http/request-body.ts';
import { isObject, readJson } from '../http/request-body.ts';
import type { Handler } from '../http/handler.ts';
import { newFullId, timestamp } from '../ids.ts';
import { badRequest, notFound } from '../problem.ts';
import type { Service } from '../service.ts';
import type { Database } from '../store/database.ts';
import type { ListValue } from '../store/list-values.ts';
import { findListValue, findListValueByExternalId, saveListValue } from '../store/list-values.ts';
import { fullIdField, textField } from './input.ts';
import type { Shape } from './list-values.ts';

interface Change {
  readonly fullId: string | undefined;
  readonly externalId: string | undefined;
  readonly parent: string | undefined;
  readonly status: number | undefined;
  readonly value: Readonly<Record<string, string>> | undefined;
  readonly plain: string | undefined;
}

/**
 * POST listValue: 200 for an update, 201 for a creation (REST spec, List values). The DMS finds a value by `_id`,
 * otherwise by its external ID in its directory. Languages that the body does not contain are kept. Without a parent,
 * the value is a directory.
 */
export function postListValue({ db }: Service, shape: Shape): Handler {
  return async ({ caller, request }) => {
    requireRole(caller, 'elAdminDocRW');
    const body = await readJson(request);
    const change = shape.parentParameter === '_id_kf' ? changeV2(body) : changeV1(body);
    return db.transaction(() => {
      const known = locate(db, change);
      const changed = applied(db, known ?? emptyListValue(caller, change.parent), change);
      refuseTakenId(db, changed);
      saveListValue(db, changed);
      return json(shape.toWire(changed), known === undefined ? 201 : 200);
    });
  };
}

function locate(db: Database, change: Change): ListValue | undefined {
  if (change.fullId !== undefined && change.fullId !== '') {
    const known = findListValue(db, change.fullId);
    if (known === undefined) throw notFound('There is no such list value.');
    return known;
  }
  if (change.externalId === undefined || change.externalId === '') return undefined;
  return findListValueByExternalId(db, change.parent || null, change.externalId);
}

function changeV2(body: JsonObject): Change {
  return {
    fullId: fullIdField(body, '_id'),
    externalId: textField(body, '_id_ext'),
    parent: fullIdField(body, '_id_kf'),
    status: statusField(body),
    value: body.value === undefined ? undefined : translations(body.value),
    plain: undefined,
  };
}

function changeV1(body: JsonObject): Change {
  const localized = Object.entries(body).flatMap(([name, text]) => {
    const language = /^valuedata_([a-z]{2,3})$/.exec(name)?.[1];
    return language === undefined ? [] : [[language, text] as const];
  });
  return {
    fullId: fullIdField(body, '_id'),
    externalId: textField(body, '_id_ext'),
    parent: fullIdField(body, 'kfunid'),
    status: statusField(body),
    value: localized.length === 0 ? undefined : translations(Object.fromEntries(localized)),
    plain: textField(body, 'valuedata'),
  };
}

function statusField({ status }: JsonObject): number | undefined {
  if (status === undefined) return undefined;
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 0 || status > 10) {
    throw badRequest('status must be an integer from 0 to 10.');
  }
  return status;
}

function translations(value: unknown): Record<string, string> {
  if (!isObject(value) || Object.keys(value).length === 0) {
    throw badRequest('value must be an object with languages as keys and texts as values.');
  }
  const entries = Object.entries(value).map(([language, text]): [string, string] => {
    if (!/^[a-z]{2,3}$/.test(language)) throw badRequest('value contains an invalid language.');
    if (typeof text !== 'string' || text.trim() === '') {
      throw badRequest(`value.${language} must be a string.`);
    }
    return [language, text];
  });
  return Object.fromEntries(entries);
}

function emptyListValue(caller: Caller, parent: string | undefined): ListValue {
  const now = timestamp();
  return {
    id: newFullId(),
    parent: parent || null,
    externalId: null,
    author: caller.actorId,
    owner: caller.runsAsUser ? caller.actorId : '',
    status: 1,
    type: parent ? 1 : 0,
    value: {},
    plain: '',
    created: now,
    modified: now,
    rev: 0,
  };
}

function applied(db: Database, listValue: ListValue, change: Change): ListValue {
  const parent = change.parent || listValue.parent;
  if (parent !== null) requireDirectory(db, parent);
  if (parent !== listValue.parent && listValue.type === 0) {
    throw badRequest('A directory cannot become a value of another directory.');
  }
  const value = { ...listValue.value, ...change.value };
  const plain =
    change.plain ??
    change.value?.en ??
    (listValue.plain || (value.en ?? Object.values(value)[0] ?? ''));
  if (plain === '') throw badRequest('value or valuedata is required.');
  return {
    ...listValue,
    parent,
    externalId: change.externalId === undefined ? listValue.externalId : change.externalId || null,
    status: change.status ?? listValue.status,
    value,
    plain,
    modified: timestamp(),
    rev: listValue.rev + 1,
  };
}

function refuseTakenId(db: Database, { id, parent, externalId }: ListValue): void {
  if (externalId === null) return;
  const holder = findListValueByExternalId(db, parent, externalId);
  if (holder !== undefined && holder.id !== id) {
    throw badRequest('_id_ext is in use by another value of the directory.');
  }
}

function requireDirectory(db: Database, id: string): void {
  const directory = findListValue(db, id);
  if (directory === undefined || directory.parent !== null) {
    throw badRequest('The parent must be the full id of a directory.');
  }
}
