import type { Database } from './database.ts';

/** Objects and lists are stored as JSON text in the columns named `…Json`, timestamps as ISO 8601 text. */
const tables = `
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE account (
  id TEXT PRIMARY KEY, authorization TEXT NOT NULL UNIQUE, signingKey TEXT NOT NULL,
  active INTEGER NOT NULL, rolesJson TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE person (
  id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE COLLATE NOCASE, active INTEGER NOT NULL, rolesJson TEXT NOT NULL,
  nameFirst TEXT NOT NULL, nameMid TEXT NOT NULL, nameLast TEXT NOT NULL,
  phoneOffice TEXT NOT NULL, phoneMobile TEXT NOT NULL, unit TEXT NOT NULL,
  deputyId TEXT, deputyEnabled TEXT, passwordHash TEXT,
  created TEXT NOT NULL, modified TEXT NOT NULL, rev INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE orgUnit (
  id TEXT PRIMARY KEY, externalId TEXT UNIQUE, name TEXT NOT NULL, head TEXT NOT NULL, membersJson TEXT NOT NULL,
  created TEXT NOT NULL, modified TEXT NOT NULL, rev INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE organization (
  id TEXT PRIMARY KEY, webId TEXT NOT NULL UNIQUE, externalId TEXT, govId TEXT, bodyJson TEXT NOT NULL,
  created TEXT NOT NULL, modified TEXT NOT NULL, rev INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX organizationExternal ON organization (externalId);
CREATE INDEX organizationGov ON organization (govId);

CREATE TABLE listValue (
  id TEXT PRIMARY KEY, parent TEXT REFERENCES listValue (id), externalId TEXT, author TEXT NOT NULL, owner TEXT NOT NULL,
  status INTEGER NOT NULL, type INTEGER NOT NULL, valueJson TEXT NOT NULL, plain TEXT NOT NULL,
  created TEXT NOT NULL, modified TEXT NOT NULL, rev INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX listValueParent ON listValue (parent, id);

CREATE TABLE form (
  id TEXT PRIMARY KEY, webId TEXT NOT NULL UNIQUE, active INTEGER NOT NULL, systemType INTEGER NOT NULL,
  bodyJson TEXT NOT NULL, processJson TEXT NOT NULL
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

const version = '2';

/**
 * Whether the database has its tables.
 * @throws if it has those of another version
 */
export function hasTables(db: Database): boolean {
  if (db.get('SELECT 1 FROM sqlite_schema WHERE name = ?', 'setting') === undefined) return false;
  const row = db.get<{ value: string }>('SELECT value FROM setting WHERE name = ?', 'version');
  if (row?.value === version) return true;
  throw new Error(
    'it was created by another version of the sandbox. Remove it or use another one.',
  );
}

export function createTables(db: Database): void {
  db.exec(tables);
  db.run('INSERT INTO setting VALUES (?, ?)', 'version', version);
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
