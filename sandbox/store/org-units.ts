import type { Database } from './database.ts';
import { fromJson } from './database.ts';
import type { MetaColumns } from './meta.ts';

export const orgUnitTable = `
CREATE TABLE orgUnit (
  id TEXT PRIMARY KEY, externalId TEXT UNIQUE, name TEXT NOT NULL, head TEXT NOT NULL, membersJson TEXT NOT NULL,
  created TEXT NOT NULL, modified TEXT NOT NULL, rev INTEGER NOT NULL
) WITHOUT ROWID;
`;

export interface OrgUnit extends MetaColumns {
  readonly id: string;
  readonly externalId: string | null;
  readonly name: string;
  readonly head: string;
  readonly members: readonly string[];
}

interface OrgUnitRow extends MetaColumns {
  id: string;
  externalId: string | null;
  name: string;
  head: string;
  membersJson: string;
}

/** Returns a unit by system ID, otherwise by external ID. */
export function findOrgUnit(db: Database, id: string): OrgUnit | undefined {
  const row =
    db.get<OrgUnitRow>('SELECT * FROM orgUnit WHERE id = ?', id) ??
    db.get<OrgUnitRow>('SELECT * FROM orgUnit WHERE externalId = ?', id);
  return row && fromRow(row);
}

export function findOrgUnitByName(db: Database, name: string): OrgUnit | undefined {
  const row = db.get<OrgUnitRow>('SELECT * FROM orgUnit WHERE name = ? ORDER BY id', name);
  return row && fromRow(row);
}

export function saveOrgUnit(db: Database, unit: OrgUnit): void {
  db.run(
    `INSERT INTO orgUnit (id, externalId, name, head, membersJson, created, modified, rev)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, head = excluded.head,
       membersJson = excluded.membersJson, modified = excluded.modified, rev = excluded.rev`,
    unit.id,
    unit.externalId,
    unit.name,
    unit.head,
    JSON.stringify(unit.members),
    unit.created,
    unit.modified,
    unit.rev,
  );
}

function fromRow({ membersJson, ...row }: OrgUnitRow): OrgUnit {
  return { ...row, members: fromJson<string[]>(membersJson) };
}
