import type { Database } from './database.ts';
import { fromJson } from './database.ts';
import type { MetaColumns } from './meta.ts';

export const listValueTable = `
CREATE TABLE listValue (
  id TEXT PRIMARY KEY, parent TEXT REFERENCES listValue (id), externalId TEXT, author TEXT NOT NULL, owner TEXT NOT NULL,
  status INTEGER NOT NULL, type INTEGER NOT NULL, valueJson TEXT NOT NULL, plain TEXT NOT NULL,
  created TEXT NOT NULL, modified TEXT NOT NULL, rev INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX listValueParent ON listValue (parent, id);
`;

export interface ListValue extends MetaColumns {
  readonly id: string;
  /** Full ID of its directory. Null for a directory. */
  readonly parent: string | null;
  readonly externalId: string | null;
  readonly author: string;
  readonly owner: string;
  readonly status: number;
  readonly type: number;
  /** Texts by short name of the language, in the order in which they were written. */
  readonly value: Readonly<Record<string, string>>;
  /** `valuedata` of version 1, which has no language. */
  readonly plain: string;
}

interface ListValueRow extends MetaColumns {
  id: string;
  parent: string | null;
  externalId: string | null;
  author: string;
  owner: string;
  status: number;
  type: number;
  valueJson: string;
  plain: string;
}

export function findListValue(db: Database, id: string): ListValue | undefined {
  const row = db.get<ListValueRow>('SELECT * FROM listValue WHERE id = ?', id);
  return row && fromRow(row);
}

/** Returns the value with this external ID in a directory, or the directory with it if `parent` is null. */
export function findListValueByExternalId(
  db: Database,
  parent: string | null,
  externalId: string,
): ListValue | undefined {
  const row = db.get<ListValueRow>(
    'SELECT * FROM listValue WHERE parent IS ? AND externalId = ?',
    parent,
    externalId,
  );
  return row && fromRow(row);
}

/** All values of a directory, or all directories if `parent` is null. */
export function listListValues(db: Database, parent: string | null): ListValue[] {
  return db
    .all<ListValueRow>('SELECT * FROM listValue WHERE parent IS ? ORDER BY id', parent)
    .map(fromRow);
}

export function saveListValue(db: Database, value: ListValue): void {
  db.run(
    `INSERT INTO listValue (id, parent, externalId, author, owner, status, type, valueJson, plain, created, modified, rev)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET parent = excluded.parent, externalId = excluded.externalId,
       status = excluded.status, valueJson = excluded.valueJson, plain = excluded.plain,
       modified = excluded.modified, rev = excluded.rev`,
    value.id,
    value.parent,
    value.externalId,
    value.author,
    value.owner,
    value.status,
    value.type,
    JSON.stringify(value.value),
    value.plain,
    value.created,
    value.modified,
    value.rev,
  );
}

function fromRow({ valueJson, ...row }: ListValueRow): ListValue {
  return { ...row, value: fromJson<Record<string, string>>(valueJson) };
}
