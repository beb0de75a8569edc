import type { Database } from './database.ts';
import { fromJson } from './database.ts';
import type { MetaColumns } from './meta.ts';

export interface ListValue extends MetaColumns {
  readonly id: string;
  /** The directory that it belongs to; null for a directory itself. */
  readonly parent: string | null;
  readonly externalId: string | null;
  readonly author: string;
  readonly owner: string;
  readonly status: number;
  readonly type: number;
  /** By language short name, in the order in which they were given. */
  readonly value: Readonly<Record<string, string>>;
  /** Version 1's `valuedata`, which belongs to no language. */
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

/** The value with this external id in the given directory, or the directory with it where `parent` is null. */
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

/** All values of a directory, or all directories where `parent` is null. */
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
