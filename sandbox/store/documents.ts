import type { Caller } from '../caller.ts';
import { hasRole } from '../caller.ts';
import type { Properties } from '../documents/properties.ts';
import { notFound } from '../problem.ts';
import type { Flow, Held, Process } from '../workflow.ts';
import { phase } from '../workflow.ts';
import type { Database, Param } from './database.ts';
import { fromJson } from './database.ts';
import type { MetaColumns } from './meta.ts';

/** Text, or a table: rows of cells, of which the first contains the column names. */
export type Value = string | readonly (readonly string[])[];
export type Values = Readonly<Record<string, Value>>;

export interface Document extends MetaColumns {
  readonly id: string;
  readonly webId: string;
  readonly form: string;
  readonly author: string;
  /** The service account that created the document. It differs from the author if the account ran as a user. */
  readonly createdBy: string;
  readonly flow: Flow;
  readonly properties: Properties;
  readonly values: Values;
  readonly tags: readonly string[];
  /** How to index the attachments. Null for documents without attachments on creation. */
  readonly idp: { readonly languages: readonly string[]; readonly forced: boolean } | null;
}

interface DocumentRow extends MetaColumns {
  id: string;
  webId: string;
  form: string;
  author: string;
  createdBy: string;
  state: number;
  step: number;
  iteration: number;
  status: number;
  heldJson: string | null;
  routeJson: string;
  propertiesJson: string;
  valuesJson: string;
  tagsJson: string;
  idpJson: string | null;
}

/**
 * The documents that a caller can see: those it created, and those of which it was ever a participant; all documents
 * with a role for documents. Deleted documents are never visible.
 */
export function visibleTo(caller: Caller): { sql: string; params: Param[] } {
  if (hasRole(caller, 'elAdminDocsR')) return { sql: `d.state <> ${phase.deleted}`, params: [] };
  return {
    sql: `d.state <> ${phase.deleted} AND (d.author = ? OR d.createdBy = ? OR EXISTS (
            SELECT 1 FROM participant p WHERE p.actor = ? AND p.document = d.id))`,
    params: [caller.actorId, caller.actorId, caller.actorId],
  };
}

/**
 * Returns a document by full or short ID.
 * @throws {Problem} 404 if it does not exist or the caller cannot see it, so that its existence is not revealed
 */
export function seeDocument(db: Database, caller: Caller, id: string): Document {
  const visible = visibleTo(caller);
  const row = db.get<DocumentRow>(
    `SELECT d.* FROM document d WHERE (d.id = ? OR d.webId = ?) AND ${visible.sql}`,
    id.toLowerCase(),
    id,
    ...visible.params,
  );
  if (row === undefined) throw notFound('There is no such document.');
  return documentFromRow(row);
}

/** Runs a query for complete rows of `document d`. */
export function selectDocuments(db: Database, sql: string, params: readonly Param[]): Document[] {
  return db.all<DocumentRow>(sql, ...params).map(documentFromRow);
}

export function insertDocument(db: Database, document: Document): void {
  const { flow } = document;
  db.run(
    `INSERT INTO document (id, webId, form, author, createdBy, state, step, iteration, status,
       heldJson, routeJson, propertiesJson, valuesJson, tagsJson, idpJson, created, modified, rev)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    document.id,
    document.webId,
    document.form,
    document.author,
    document.createdBy,
    flow.state,
    flow.step,
    flow.iteration,
    flow.status,
    flow.held === null ? null : JSON.stringify(flow.held),
    JSON.stringify(flow.route),
    JSON.stringify(document.properties),
    JSON.stringify(document.values),
    JSON.stringify(document.tags),
    document.idp === null ? null : JSON.stringify(document.idp),
    document.created,
    document.modified,
    document.rev,
  );
  setReferences(db, document);
}

/** Writes position, values and tags of a document with a new revision, and returns the new state. */
export function updateDocument(db: Database, document: Document, now: string): Document {
  const { flow } = document;
  const changed = { ...document, modified: now, rev: document.rev + 1 };
  db.run(
    `UPDATE document SET state = ?, step = ?, iteration = ?, status = ?, heldJson = ?, valuesJson = ?, tagsJson = ?,
       modified = ?, rev = ? WHERE id = ?`,
    flow.state,
    flow.step,
    flow.iteration,
    flow.status,
    flow.held === null ? null : JSON.stringify(flow.held),
    JSON.stringify(changed.values),
    JSON.stringify(changed.tags),
    changed.modified,
    changed.rev,
    changed.id,
  );
  setReferences(db, changed);
  return changed;
}

/** The field with the full or short IDs of other documents, separated by commas (REST spec, DocForm, `refByDocs`). */
const referencesTag = 'refdocs';

function setReferences(db: Database, document: Document): void {
  db.run('DELETE FROM reference WHERE source = ?', document.id);
  const listed = document.values[referencesTag];
  if (listed === undefined) return;
  const ids = (typeof listed === 'string' ? listed : listed.slice(1).flat().join(','))
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  for (const id of ids) {
    const target = db.get<{ id: string }>(
      'SELECT id FROM document WHERE id = ? OR webId = ?',
      id.toLowerCase(),
      id,
    );
    // A reference by full ID can be written before the document exists.
    db.run('INSERT OR IGNORE INTO reference VALUES (?, ?)', document.id, target?.id ?? id);
  }
}

/** Full IDs of the documents that reference this one and that the caller can see. */
export function referringDocuments(db: Database, caller: Caller, documentId: string): string[] {
  const visible = visibleTo(caller);
  return db
    .all<{ id: string }>(
      `SELECT d.id FROM reference r JOIN document d ON d.id = r.source
       WHERE r.target = ? AND ${visible.sql} ORDER BY d.created DESC, d.id DESC`,
      documentId,
      ...visible.params,
    )
    .map((row) => row.id);
}

function documentFromRow(row: DocumentRow): Document {
  const { id, webId, form, author, createdBy } = row;
  return {
    id,
    webId,
    form,
    author,
    createdBy,
    flow: {
      state: row.state,
      step: row.step,
      iteration: row.iteration,
      status: row.status,
      held: row.heldJson === null ? null : fromJson<Held>(row.heldJson),
      route: fromJson<Process>(row.routeJson),
    },
    properties: fromJson<Properties>(row.propertiesJson),
    values: fromJson<Record<string, Value>>(row.valuesJson),
    tags: fromJson<string[]>(row.tagsJson),
    idp: row.idpJson === null ? null : fromJson<NonNullable<Document['idp']>>(row.idpJson),
    created: row.created,
    modified: row.modified,
    rev: row.rev,
  };
}
