import { createHash } from 'node:crypto';
import type { Database } from './database.ts';

/**
 * The tables of documents and accounts. Objects and lists are stored as JSON text in the columns named `…Json`,
 * timestamps as ISO 8601 text.
 */
export const documentTables = `
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE account (
  id TEXT PRIMARY KEY, authorization TEXT NOT NULL UNIQUE, signingKey TEXT NOT NULL,
  active INTEGER NOT NULL, rolesJson TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE document (
  id TEXT PRIMARY KEY, webId TEXT NOT NULL UNIQUE, form TEXT NOT NULL REFERENCES form (id),
  author TEXT NOT NULL, createdBy TEXT NOT NULL,
  state INTEGER NOT NULL, step INTEGER NOT NULL, iteration INTEGER NOT NULL, status INTEGER NOT NULL,
  heldJson TEXT, routeJson TEXT NOT NULL, propertiesJson TEXT NOT NULL,
  valuesJson TEXT NOT NULL, tagsJson TEXT NOT NULL, idpJson TEXT,
  created TEXT NOT NULL, modified TEXT NOT NULL, rev INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX documentByAge ON document (created DESC, id DESC);
CREATE INDEX documentByAuthor ON document (author);
CREATE INDEX documentByCreator ON document (createdBy);
CREATE TABLE reference (
  source TEXT NOT NULL REFERENCES document (id), target TEXT NOT NULL, PRIMARY KEY (target, source)
) WITHOUT ROWID;
CREATE INDEX referenceSource ON reference (source);
CREATE TABLE participant (
  actor TEXT NOT NULL, document TEXT NOT NULL REFERENCES document (id), PRIMARY KEY (actor, document)
) WITHOUT ROWID;
CREATE TABLE task (
  document TEXT NOT NULL REFERENCES document (id), actor TEXT NOT NULL,
  state INTEGER NOT NULL, step INTEGER NOT NULL, iteration INTEGER NOT NULL, done INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (document, actor, state, step, iteration)
) WITHOUT ROWID;
CREATE INDEX taskActor ON task (actor, done);
CREATE TABLE response (
  id TEXT PRIMARY KEY, document TEXT NOT NULL REFERENCES document (id), author TEXT NOT NULL,
  state INTEGER NOT NULL, step INTEGER NOT NULL, iteration INTEGER NOT NULL, status INTEGER NOT NULL,
  action INTEGER NOT NULL, content TEXT NOT NULL, resolution TEXT NOT NULL, assignee TEXT NOT NULL,
  created TEXT NOT NULL, modified TEXT NOT NULL, rev INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX responseDocument ON response (document, author);

CREATE TABLE recoEntry (
  id TEXT PRIMARY KEY, document TEXT NOT NULL REFERENCES document (id), position INTEGER NOT NULL, bodyJson TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX recoEntryDocument ON recoEntry (document, position);
CREATE TABLE pageText (
  document TEXT NOT NULL REFERENCES document (id), page INTEGER NOT NULL, text TEXT NOT NULL,
  PRIMARY KEY (document, page)
) WITHOUT ROWID;

CREATE TABLE file (
  id TEXT PRIMARY KEY, document TEXT NOT NULL REFERENCES document (id), recoEntry TEXT REFERENCES recoEntry (id),
  position INTEGER NOT NULL, name TEXT NOT NULL, size INTEGER, sha256 TEXT
) WITHOUT ROWID;
CREATE INDEX fileDocument ON file (document, position);
CREATE INDEX fileRecoEntry ON file (recoEntry, position);
CREATE INDEX fileHash ON file (sha256);
`;

/** What the database stores: the SQL of its tables, and the names of JSON properties. */
export interface DatabaseSchema {
  readonly tables: string;
  readonly properties: readonly string[];
}

const versionOf = (schema: DatabaseSchema): string =>
  createHash('sha256').update(JSON.stringify(schema)).digest('hex');

/**
 * Whether the database has its tables.
 * @throws if it has those of another version
 */
export function hasTables(db: Database, schema: DatabaseSchema): boolean {
  if (db.get('SELECT 1 FROM sqlite_schema WHERE name = ?', 'setting') === undefined) return false;
  const row = db.get<{ value: string }>('SELECT value FROM setting WHERE name = ?', 'version');
  if (row?.value === versionOf(schema)) return true;
  throw new Error(
    'it was created by another version of the sandbox. Remove it or use another one.',
  );
}

export function createTables(db: Database, schema: DatabaseSchema): void {
  db.exec(schema.tables);
  db.run('INSERT INTO setting VALUES (?, ?)', 'version', versionOf(schema));
}

/** Returns the next number of a named sequence, from 1. Must be called in the transaction that uses the number. */
export function nextNumber(db: Database, name: string): number {
  const row = db.get<{ value: number }>(
    `INSERT INTO counter VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value`,
    name,
  );
  if (row === undefined) throw new Error('The counter returned no number.');
  return row.value;
}
