import type { Database } from '../store/database.ts';
import { saveOrganization } from '../store/organizations.ts';
import { listValueId } from './directories.ts';
import { seedIds, seedMeta } from './ids.ts';

const seededId = seedIds('00c0');

/** Name, further names, owner. Areas and types are assigned in turn. */
const organizations: readonly (readonly [
  name: string,
  nameExt: readonly string[],
  owner: string,
])[] = [
  ['Nordlicht Papier GmbH', ['Nordlicht Paper'], 'usr-eva'],
  ['Acme Tools Ltd', [], 'usr-eva'],
  ['Baltic Freight OÜ', ['Baltic Freight Ltd'], 'usr-pawel'],
  ['Дніпро Сталь ТОВ', ['Dnipro Steel LLC'], 'usr-dina'],
  ['Zielona Energia Sp. z o.o.', ['Green Energy Poland'], 'usr-pawel'],
  ['山田製作所', ['Yamada Seisakusho', 'Yamada Works'], 'usr-carlos'],
  ['Café & Söhne KG', [], 'usr-eva'],
  ['Société Générale des Bois', ['SGB'], 'usr-carlos'],
  ['Cloudberry Software AS', [], 'usr-priya'],
  ['Ibérica de Transportes S.A.', [], 'usr-carlos'],
  ['City Revenue Office', ['Finanzamt Mitte'], 'usr-bob'],
  ['Lighthouse Consulting LLP', [], 'usr-maria'],
  ['Harbour Print & Sign', [], 'usr-eva'],
  ['O’Neill "Quick" Repairs', [], 'usr-jonas'],
];

const organizationCount = organizations.length;

export function organizationName(n: number): string {
  return organizations[n % organizationCount]?.[0] ?? '';
}

/** The full ID of the n-th organization, counted from 0. It starts again after the last one. */
export function organizationId(n: number): string {
  return seededId((n % organizationCount) + 1);
}

export function seedOrganizations(db: Database): void {
  for (const [index, [name, nameExt, owner]] of organizations.entries()) {
    const number = String(index + 1).padStart(4, '0');
    saveOrganization(db, {
      id: organizationId(index),
      webId: `ORG-${number}`,
      externalId: index % 5 === 4 ? null : `erp-${number}`,
      govId: index % 6 === 5 ? null : `DE8100${number}0`,
      body: {
        owner,
        author: index % 3 === 0 ? 'api-gateway' : 'usr-carlos',
        notes: index % 4 === 0 ? 'Preferred; terms of payment 30 days net.' : '',
        name,
        nameExt,
        areaId: listValueId('areas', index),
        typeId: listValueId('orgtypes', index % 10 === 0 && index > 0 ? 3 : index % 3),
      },
      ...seedMeta,
    });
  }
  db.run('INSERT INTO counter VALUES (?, ?)', 'organization', organizationCount);
}
