import type { Role } from '../caller.ts';
import type { Database } from '../store/database.ts';
import { saveOrgUnit } from '../store/org-units.ts';
import { insertPerson } from '../store/persons.ts';
import { seedMeta } from './ids.ts';

interface SeedPerson {
  /** Without the prefix `usr-`. */
  readonly id: string;
  readonly name: readonly [first: string, mid: string, last: string];
  readonly unit: string;
  readonly deputy?: readonly [id: string, enabled: 'true' | 'false'];
  readonly roles?: readonly Role[];
  readonly inactive?: true;
}

const people: readonly SeedPerson[] = [
  { id: 'maria', name: ['Maria', '', 'Lindqvist'], unit: 'Management', deputy: ['bob', 'true'] },
  { id: 'ann', name: ['Ann', 'Louise', 'Keller'], unit: 'Finance', deputy: ['chen', 'true'] },
  { id: 'bob', name: ['Bob', '', 'Osei'], unit: 'Finance', deputy: ['ann', 'false'] },
  { id: 'chen', name: ['Chen', '', 'Wei'], unit: 'Finance', deputy: ['ann', 'true'] },
  { id: 'dina', name: ['Dina', 'Petrivna', 'Kovalenko'], unit: 'Legal', deputy: ['lukas', 'true'] },
  { id: 'lukas', name: ['Lukas', '', 'Weiß'], unit: 'Legal', deputy: ['dina', 'false'] },
  { id: 'eva', name: ['Eva', '', 'Novotná'], unit: 'Purchasing', deputy: ['pawel', 'true'] },
  { id: 'pawel', name: ['Paweł', 'Jan', 'Zieliński'], unit: 'Purchasing', deputy: ['eva', 'true'] },
  {
    id: 'farid',
    name: ['Farid', '', 'Haddad'],
    unit: 'Human Resources',
    deputy: ['nora', 'true'],
    roles: ['elAdminSysRW'],
  },
  { id: 'nora', name: ['Nora', '', 'Bakke'], unit: 'Human Resources', deputy: ['farid', 'false'] },
  {
    id: 'greta',
    name: ['Greta', '', 'Möller'],
    unit: 'Records',
    deputy: ['hugo', 'true'],
    roles: ['elAdminDocsR'],
  },
  {
    id: 'hugo',
    name: ['Hugo', 'André', 'Martin'],
    unit: 'Records',
    deputy: ['greta', 'true'],
    roles: ['elAdminDocsRW'],
  },
  {
    id: 'carlos',
    name: ['Carlos', '', 'Ibáñez'],
    unit: 'Sales',
    deputy: ['jonas', 'false'],
    roles: ['elAdminCrmRW', 'elAdminDocRW'],
  },
  { id: 'jonas', name: ['Jonas', '', 'Berg'], unit: 'Sales', deputy: ['carlos', 'true'] },
  {
    id: 'olga',
    name: ['Olga', 'Serhiivna', 'Bondar'],
    unit: 'IT',
    roles: ['elAdminDocsRW', 'elAdminDocRW', 'elAdminCrmRW', 'elAdminSysRW'],
  },
  { id: 'priya', name: ['Priya', '', 'Raman'], unit: 'IT', deputy: ['olga', 'true'] },
  { id: 'ivan', name: ['Ivan', '', 'Petrov'], unit: 'Sales', inactive: true },
];

interface SeedUnit {
  readonly id: string;
  readonly externalId?: string;
  readonly name: string;
  readonly head: string;
}

const units: readonly SeedUnit[] = [
  { id: 'unit0001', name: 'Management', head: 'maria' },
  { id: 'unit0002', externalId: 'EXT-FIN', name: 'Finance', head: 'bob' },
  { id: 'unit0003', name: 'Legal', head: 'dina' },
  { id: 'unit0004', name: 'Purchasing', head: 'eva' },
  { id: 'unit0005', name: 'Human Resources', head: 'farid' },
  { id: 'unit0006', name: 'Records', head: 'greta' },
  { id: 'unit0007', externalId: 'EXT-SALES', name: 'Sales', head: 'carlos' },
  { id: 'unit00a8', name: 'IT', head: 'olga' },
];

/** Active persons in the order of the seed. */
export const staff: readonly string[] = people
  .filter((person) => person.inactive === undefined)
  .map((person) => `usr-${person.id}`);

/** The approver for an author: the head of the author's unit, or the managing director. */
export function headOf(author: string): string {
  const unit = people.find((person) => `usr-${person.id}` === author)?.unit;
  const head = units.find((candidate) => candidate.name === unit)?.head;
  return head === undefined || `usr-${head}` === author ? 'usr-maria' : `usr-${head}`;
}

export function seedPeople(db: Database): void {
  for (const [index, person] of people.entries()) {
    const [nameFirst, nameMid, nameLast] = person.name;
    const number = String(index + 11);
    insertPerson(db, {
      id: `usr-${person.id}`,
      email: `${person.id}@example.com`,
      active: person.inactive === undefined,
      roles: person.roles ?? [],
      nameFirst,
      nameMid,
      nameLast,
      phoneOffice: `+49 30 5550 1${number}`,
      phoneMobile: index % 4 === 3 ? '' : `+49 151 5550 2${number}`,
      unit: person.unit,
      deputy:
        person.deputy === undefined
          ? null
          : { id: `usr-${person.deputy[0]}`, enabled: person.deputy[1] },
      ...seedMeta,
    });
  }
}

export function seedOrgUnits(db: Database): void {
  for (const unit of units) {
    const members = people.filter((person) => person.unit === unit.name && !person.inactive);
    saveOrgUnit(db, {
      id: unit.id,
      externalId: unit.externalId ?? null,
      name: unit.name,
      head: `usr-${unit.head}`,
      members: members.map((person) => `usr-${person.id}`),
      ...seedMeta,
    });
  }
}
