import type { Caller } from '../caller.ts';
import { integerIn, names, pageOf } from '../http/query-parameters.ts';
import { notFound } from '../problem.ts';
import type { Database, Param } from '../store/database.ts';
import type { Document } from '../store/documents.ts';
import { selectDocuments, visibleTo } from '../store/documents.ts';
import { openTaskSql } from '../store/tasks.ts';
import { phase } from '../workflow.ts';

interface Condition {
  readonly sql: string;
  readonly params: readonly Param[];
}

/**
 * A page of the documents that the caller can see in a view, newest first (REST spec, Documents 3).
 * @throws {Problem} 404 for an unknown view, 400 for a parameter out of range
 */
export function listView(
  db: Database,
  caller: Caller,
  viewId: string,
  query: URLSearchParams,
): { page: Document[]; total: number } {
  const conditions = [visibleTo(caller), viewCondition(caller, viewId), ...filters(query)];
  const { first, pageSize } = pageOf(query);
  const where = conditions.map((condition) => `(${condition.sql})`).join(' AND ');
  const params = conditions.flatMap((condition) => condition.params);

  const counted = `SELECT count(*) AS n FROM document d WHERE ${where}`;
  const total = db.get<{ n: number }>(counted, ...params)?.n ?? 0;
  const page = selectDocuments(
    db,
    `SELECT d.* FROM document d WHERE ${where} ORDER BY d.created DESC, d.id DESC LIMIT ? OFFSET ?`,
    [...params, pageSize, first],
  );
  return { page, total };
}

function viewCondition(caller: Caller, viewId: string): Condition {
  switch (viewId) {
    case 'inbox':
      return { sql: `EXISTS (${openTaskSql})`, params: [caller.actorId] };
    case 'mydocs':
      return {
        sql: 'd.author = ? OR d.createdBy = ?',
        params: [caller.actorId, caller.actorId],
      };
    case 'repository':
      return { sql: `d.state = ${phase.repository}`, params: [] };
    case 'archive':
      return { sql: `d.state = ${phase.archive}`, params: [] };
    case 'all':
      return { sql: 'TRUE', params: [] };
    default:
      throw notFound('There is no such view.');
  }
}

function filters(query: URLSearchParams): Condition[] {
  const conditions: Condition[] = [];
  for (const [name, min, max] of [
    ['state', 0, 100],
    ['step', 0, 100],
    ['iteration', 0, 100],
    ['status', 1, 10],
  ] as const) {
    const value = integerIn(query, name, min, max);
    if (value !== null) conditions.push({ sql: `d.${name} = ?`, params: [value] });
  }
  // Lists are passed as one JSON parameter, so that one statement serves any number of IDs.
  const forms = names(query, 'form');
  if (forms !== null) {
    conditions.push({
      sql: `d.form IN (SELECT f.id FROM form f, json_each(?) wanted WHERE f.id = lower(wanted.value) OR f.webId = wanted.value)`,
      params: [JSON.stringify(forms)],
    });
  }
  const authors = names(query, 'author');
  if (authors !== null) {
    conditions.push({
      sql: 'd.author IN (SELECT value FROM json_each(?))',
      params: [JSON.stringify(authors)],
    });
  }
  const tags = names(query, 'tags');
  if (tags !== null) {
    conditions.push({
      sql: `NOT EXISTS (SELECT 1 FROM json_each(?) wanted
              WHERE wanted.value NOT IN (SELECT own.value FROM json_each(d.tagsJson) own))`,
      params: [JSON.stringify(tags)],
    });
  }
  return conditions;
}
