import type { Database } from '../store/database.ts';
import { saveListValue } from '../store/list-values.ts';
import { seedIds, seedMeta } from './ids.ts';

const directoryId = seedIds('0010');
const valueId = seedIds('0011');

type Translations = Readonly<Record<string, string>>;

interface SeedDirectory {
  readonly code: string;
  readonly value: Translations;
  readonly values: readonly (readonly [code: string, value: Translations])[];
}

const directories = [
  {
    code: 'areas',
    value: { en: 'Business areas', de: 'Branchen', uk: 'Галузі' },
    values: [
      ['manufacturing', { en: 'Manufacturing', de: 'Produktion', uk: 'Виробництво' }],
      ['logistics', { en: 'Logistics', de: 'Logistik', uk: 'Логістика' }],
      ['software', { en: 'Software', de: 'Software', uk: 'Програмне забезпечення' }],
      ['consulting', { en: 'Consulting', de: 'Beratung', uk: 'Консалтинг' }],
      ['energy', { en: 'Energy', de: 'Energie', uk: 'Енергетика' }],
    ],
  },
  {
    code: 'orgtypes',
    value: { en: 'Organization types', de: 'Organisationsarten', uk: 'Типи організацій' },
    values: [
      ['supplier', { en: 'Supplier', de: 'Lieferant', uk: 'Постачальник' }],
      ['customer', { en: 'Customer', de: 'Kunde', uk: 'Клієнт' }],
      ['partner', { en: 'Partner', de: 'Partner', uk: 'Партнер' }],
      ['authority', { en: 'Public authority', de: 'Behörde', uk: 'Державний орган' }],
    ],
  },
  {
    code: 'costcentres',
    value: { en: 'Cost centres', de: 'Kostenstellen', fr: 'Centres de coûts' },
    values: [
      ['cc-100', { en: '100 Administration', de: '100 Verwaltung', fr: '100 Administration' }],
      ['cc-200', { en: '200 Production', de: '200 Fertigung', fr: '200 Production' }],
      ['cc-300', { en: '300 Sales', de: '300 Vertrieb', fr: '300 Ventes' }],
      ['cc-400', { en: '400 Development', de: '400 Entwicklung', fr: '400 Développement' }],
    ],
  },
  {
    code: 'leavetypes',
    value: { en: 'Kinds of leave', de: 'Urlaubsarten', pl: 'Rodzaje urlopów' },
    values: [
      ['annual', { en: 'Annual leave', de: 'Jahresurlaub', pl: 'Urlop wypoczynkowy' }],
      ['parental', { en: 'Parental leave', de: 'Elternzeit', pl: 'Urlop rodzicielski' }],
      ['unpaid', { en: 'Unpaid leave', de: 'Unbezahlter Urlaub', pl: 'Urlop bezpłatny' }],
    ],
  },
  {
    code: 'currencies',
    value: { en: 'Currencies', de: 'Währungen' },
    values: [
      ['eur', { en: 'Euro', de: 'Euro' }],
      ['usd', { en: 'US dollar', de: 'US-Dollar' }],
      ['pln', { en: 'Polish złoty', de: 'Polnischer Zloty' }],
      ['jpy', { en: 'Japanese yen', de: 'Japanischer Yen', ja: '円' }],
    ],
  },
] as const satisfies readonly SeedDirectory[];

type Code = (typeof directories)[number]['code'];

const all: readonly SeedDirectory[] = directories;

/** The n-th value of a directory, counted from 0. It starts again after the last one. */
export function listValueId(code: Code, n: number): string {
  const index = all.findIndex((directory) => directory.code === code);
  const size = all[index]?.values.length ?? 1;
  return valueId((index + 1) * 0x100 + (n % size) + 1);
}

export function seedDirectories(db: Database): void {
  const common = { author: 'usr-olga', owner: 'usr-olga', status: 1, ...seedMeta };
  for (const [index, directory] of all.entries()) {
    const parent = directoryId(index + 1);
    saveListValue(db, {
      id: parent,
      parent: null,
      externalId: directory.code,
      type: 0,
      value: directory.value,
      plain: directory.value.en ?? '',
      ...common,
    });
    for (const [position, [code, value]] of directory.values.entries()) {
      saveListValue(db, {
        id: valueId((index + 1) * 0x100 + position + 1),
        parent,
        externalId: code,
        type: 1,
        value,
        plain: value.en ?? '',
        ...common,
      });
    }
  }
}
