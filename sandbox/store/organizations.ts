import type { Database } from './database.ts';
import { fromJson } from './database.ts';
import type { MetaColumns } from './meta.ts';

export const organizationTable = `
CREATE TABLE organization (
  id TEXT PRIMARY KEY, webId TEXT NOT NULL UNIQUE, externalId TEXT, govId TEXT, bodyJson TEXT NOT NULL,
  created TEXT NOT NULL, modified TEXT NOT NULL, rev INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX organizationExternal ON organization (externalId);
CREATE INDEX organizationGov ON organization (govId);
`;

/** The fields that are not used to find organizations. */
export interface OrganizationBody {
  readonly owner?: string;
  readonly author: string;
  readonly notes?: string;
  readonly name: string;
  readonly nameExt?: readonly unknown[];
  readonly areaId?: string;
  readonly typeId?: string;
  /** Additional fields of version 1. Their contents are not specified, so they are stored unchanged. */
  readonly tags?: unknown;
  readonly cfdata?: readonly unknown[];
}

export interface Organization extends MetaColumns {
  readonly id: string;
  readonly webId: string;
  readonly externalId: string | null;
  readonly govId: string | null;
  readonly body: OrganizationBody;
}

interface OrganizationRow extends MetaColumns {
  id: string;
  webId: string;
  externalId: string | null;
  govId: string | null;
  bodyJson: string;
}

export function findOrganization(db: Database, fullId: string): Organization | undefined {
  const row = db.get<OrganizationRow>('SELECT * FROM organization WHERE id = ?', fullId);
  return row && fromRow(row);
}

/**
 * Returns the first match of full, external and government ID, in the order of the specification. Undefined IDs are
 * skipped.
 */
export function locateOrganization(
  db: Database,
  keys: {
    fullId?: string | undefined;
    externalId?: string | undefined;
    govId?: string | undefined;
  },
): Organization | undefined {
  const tries: [string, string | undefined][] = [
    ['id', keys.fullId],
    ['externalId', keys.externalId],
    ['govId', keys.govId],
  ];
  for (const [column, key] of tries) {
    if (key === undefined) continue;
    const row = db.get<OrganizationRow>(
      `SELECT * FROM organization WHERE ${column} = ? ORDER BY webId LIMIT 1`,
      key,
    );
    if (row !== undefined) return fromRow(row);
  }
  return undefined;
}

export function listOrganizations(
  db: Database,
  first: number,
  pageSize: number,
): { page: Organization[]; total: number } {
  const page = db
    .all<OrganizationRow>(
      'SELECT * FROM organization ORDER BY webId LIMIT ? OFFSET ?',
      pageSize,
      first,
    )
    .map(fromRow);
  const total = db.get<{ n: number }>('SELECT count(*) AS n FROM organization')?.n ?? 0;
  return { page, total };
}

export function saveOrganization(db: Database, organization: Organization): void {
  db.run(
    `INSERT INTO organization (id, webId, externalId, govId, bodyJson, created, modified, rev)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET externalId = excluded.externalId, govId = excluded.govId,
       bodyJson = excluded.bodyJson, modified = excluded.modified, rev = excluded.rev`,
    organization.id,
    organization.webId,
    organization.externalId,
    organization.govId,
    JSON.stringify(organization.body),
    organization.created,
    organization.modified,
    organization.rev,
  );
}

export function deleteOrganization(db: Database, fullId: string): void {
  db.run('DELETE FROM organization WHERE id = ?', fullId);
}

function fromRow({ bodyJson, ...row }: OrganizationRow): Organization {
  return { ...row, body: fromJson<OrganizationBody>(bodyJson) };
}
