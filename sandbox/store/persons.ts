import type { Database } from './database.ts';
import { fromJson } from './database.ts';
import type { MetaColumns } from './meta.ts';

export const personTable = `
CREATE TABLE person (
  id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE COLLATE NOCASE, active INTEGER NOT NULL, rolesJson TEXT NOT NULL,
  nameFirst TEXT NOT NULL, nameMid TEXT NOT NULL, nameLast TEXT NOT NULL,
  phoneOffice TEXT NOT NULL, phoneMobile TEXT NOT NULL, unit TEXT NOT NULL,
  deputyId TEXT, deputyEnabled TEXT, passwordHash TEXT,
  created TEXT NOT NULL, modified TEXT NOT NULL, rev INTEGER NOT NULL
) WITHOUT ROWID;
`;

export interface Person extends MetaColumns {
  readonly id: string;
  readonly email: string;
  readonly active: boolean;
  readonly roles: readonly string[];
  readonly nameFirst: string;
  readonly nameMid: string;
  readonly nameLast: string;
  readonly phoneOffice: string;
  readonly phoneMobile: string;
  readonly unit: string;
  readonly deputy: { readonly id: string; readonly enabled: string } | null;
}

interface PersonRow extends MetaColumns {
  id: string;
  email: string;
  active: number;
  rolesJson: string;
  nameFirst: string;
  nameMid: string;
  nameLast: string;
  phoneOffice: string;
  phoneMobile: string;
  unit: string;
  deputyId: string | null;
  deputyEnabled: string | null;
}

export function findPerson(db: Database, id: string): Person | undefined {
  const row = db.get<PersonRow>('SELECT * FROM person WHERE id = ?', id);
  return row && fromRow(row);
}

/** Returns a person by system ID or e-mail address, as in run-as and in the `author` of a creation. */
export function findPersonForLogin(db: Database, idOrEmail: string): Person | undefined {
  const row = db.get<PersonRow>(
    'SELECT * FROM person WHERE id = ? OR email = ?',
    idOrEmail,
    idOrEmail,
  );
  return row && fromRow(row);
}

/** Returns every active person, by system ID. */
export function activePersons(db: Database): Person[] {
  return db
    .all<PersonRow>('SELECT * FROM person WHERE active = 1 ORDER BY id')
    .map((row) => fromRow(row));
}

export function insertPerson(db: Database, person: Person): void {
  db.run(
    `INSERT INTO person (id, email, active, rolesJson, nameFirst, nameMid, nameLast, phoneOffice, phoneMobile,
       unit, deputyId, deputyEnabled, created, modified, rev)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    person.id,
    person.email,
    person.active ? 1 : 0,
    JSON.stringify(person.roles),
    person.nameFirst,
    person.nameMid,
    person.nameLast,
    person.phoneOffice,
    person.phoneMobile,
    person.unit,
    person.deputy?.id ?? null,
    person.deputy?.enabled ?? null,
    person.created,
    person.modified,
    person.rev,
  );
}

/** Writes the fields that an update can change. A null hash keeps the password. */
export function updatePerson(db: Database, person: Person, passwordHash: string | null): void {
  db.run(
    `UPDATE person SET nameFirst = ?, nameMid = ?, nameLast = ?, phoneOffice = ?, phoneMobile = ?, unit = ?,
       deputyId = ?, deputyEnabled = ?, passwordHash = coalesce(?, passwordHash), modified = ?, rev = ?
     WHERE id = ?`,
    person.nameFirst,
    person.nameMid,
    person.nameLast,
    person.phoneOffice,
    person.phoneMobile,
    person.unit,
    person.deputy?.id ?? null,
    person.deputy?.enabled ?? null,
    passwordHash,
    person.modified,
    person.rev,
    person.id,
  );
}

function fromRow({ active, rolesJson, deputyId, deputyEnabled, ...row }: PersonRow): Person {
  return {
    ...row,
    active: active === 1,
    roles: fromJson<string[]>(rolesJson),
    deputy: deputyId === null ? null : { id: deputyId, enabled: deputyEnabled ?? 'false' },
  };
}
