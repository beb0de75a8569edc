import type { Database } from '../store/database.ts';
import type { CustomField } from '../store/forms.ts';
import { insertForm } from '../store/forms.ts';
import type { Process } from '../workflow.ts';
import { seedIds, seedMeta } from './ids.ts';
import { metaOf } from '../store/meta.ts';

const formId = seedIds('00f0');
const processId = seedIds('00f1');

interface SeedForm {
  readonly webId: string;
  readonly titles: Readonly<Record<string, string>> & { readonly en: string };
  /** 1: plain, 2: recognition. */
  readonly systemType: number;
  readonly fields: readonly CustomField[];
  readonly process: Process;
  readonly inactive?: true;
}

const field = (
  type: string,
  fieldName: string,
  en: string,
  de: string,
  required = false,
): CustomField => ({ type, required, prefix: '', fieldName, name: { en, de } });

/** A table whose columns are declared: type, name in the first row, and German label. */
const table = (
  fieldName: string,
  en: string,
  de: string,
  columns: readonly (readonly [type: string, name: string, de: string])[],
): CustomField => ({
  ...field('table', fieldName, en, de),
  columns: columns.map(([type, name, label]) => field(type, name, name, label)),
});

const orderColumns = [
  ['number', 'Pos', 'Pos.'],
  ['string', 'Article', 'Artikel'],
  ['number', 'Quantity', 'Menge'],
  ['number', 'Price', 'Einzelpreis'],
  ['number', 'Amount', 'Betrag'],
] as const;
const milestoneColumns = [
  ['string', 'Milestone', 'Meilenstein'],
  ['date', 'Due', 'Fällig'],
  ['person', 'Responsible', 'Verantwortlich'],
] as const;

const refdocs = field('docForms', 'refdocs', 'Related documents', 'Bezugsdokumente');
const none: Process = { approval: [], sign: [], execution: [], after: 'archive' };

const forms = [
  {
    webId: 'invoice',
    titles: { en: 'Supplier invoice', de: 'Eingangsrechnung', uk: 'Рахунок постачальника' },
    systemType: 2,
    fields: [
      field('string', 'number', 'Invoice number', 'Rechnungsnummer', true),
      field('date', 'date', 'Invoice date', 'Rechnungsdatum'),
      field('crmOrg', 'supplier', 'Supplier', 'Lieferant', true),
      field('listValue', 'costcentre', 'Cost centre', 'Kostenstelle'),
      field('listValue', 'currency', 'Currency', 'Währung'),
      field('number', 'total', 'Total', 'Gesamtbetrag'),
      field('person', 'buyer', 'Buyer', 'Einkäufer'),
      field('docForm', 'contract', 'Contract', 'Vertrag'),
      table('lines', 'Lines', 'Positionen', orderColumns),
      refdocs,
    ],
    process: {
      approval: [['api-gateway', 'usr-ann'], ['usr-bob']],
      sign: [],
      execution: [['usr-chen']],
      after: 'archive',
    },
  },
  {
    webId: 'contract',
    titles: { en: 'Contract', de: 'Vertrag', uk: 'Договір', fr: 'Contrat' },
    systemType: 1,
    fields: [
      field('crmOrg', 'partner', 'Contracting party', 'Vertragspartner', true),
      field('person', 'responsible', 'Responsible', 'Verantwortlich'),
      field('date', 'validfrom', 'Valid from', 'Gültig ab'),
      field('date', 'validto', 'Valid to', 'Gültig bis'),
      table('milestones', 'Milestones', 'Meilensteine', milestoneColumns),
      refdocs,
    ],
    process: {
      approval: [['usr-dina', 'usr-bob'], ['@head']],
      sign: [['usr-maria']],
      execution: [['@author']],
      after: 'archive',
    },
  },
  {
    webId: 'purchase',
    titles: { en: 'Purchase request', de: 'Bestellanforderung', pl: 'Zamówienie' },
    systemType: 1,
    fields: [
      field('string', 'subject', 'Subject', 'Betreff', true),
      field('listValue', 'costcentre', 'Cost centre', 'Kostenstelle'),
      field('crmOrg', 'vendor', 'Proposed vendor', 'Vorgeschlagener Lieferant'),
      table('items', 'Items', 'Artikel', orderColumns),
      refdocs,
    ],
    process: {
      approval: [['@head'], ['usr-bob']],
      sign: [],
      execution: [['usr-eva', 'usr-pawel']],
      after: 'archive',
    },
  },
  {
    webId: 'leave',
    titles: { en: 'Leave request', de: 'Urlaubsantrag', pl: 'Wniosek urlopowy' },
    systemType: 1,
    fields: [
      field('listValue', 'kind', 'Kind of leave', 'Urlaubsart', true),
      field('date', 'from', 'First day', 'Erster Tag', true),
      field('date', 'to', 'Last day', 'Letzter Tag', true),
      field('person', 'substitute', 'Substitute', 'Vertretung'),
    ],
    process: { approval: [['@head'], ['usr-nora']], sign: [], execution: [], after: 'archive' },
  },
  {
    webId: 'letter',
    titles: { en: 'Incoming letter', de: 'Eingangspost', uk: 'Вхідний лист' },
    systemType: 1,
    fields: [
      field('crmOrg', 'sender', 'Sender', 'Absender'),
      field('string', 'subject', 'Subject', 'Betreff', true),
      field('person', 'addressee', 'Addressee', 'Empfänger'),
      refdocs,
    ],
    process: { approval: [], sign: [], execution: [['usr-greta', 'usr-lukas']], after: 'archive' },
  },
  {
    webId: 'memo',
    titles: { en: 'Memo', de: 'Aktennotiz' },
    systemType: 1,
    fields: [field('string', 'subject', 'Subject', 'Betreff'), refdocs],
    process: {
      approval: [['@head']],
      sign: [['api-gateway']],
      execution: [['api-gateway']],
      after: 'repository',
    },
  },
  {
    webId: 'policy',
    titles: { en: 'Policy', de: 'Richtlinie', fr: 'Directive' },
    systemType: 1,
    fields: [
      field('string', 'subject', 'Subject', 'Betreff', true),
      field('person', 'owner', 'Owner', 'Verantwortlich'),
      refdocs,
    ],
    process: {
      approval: [['usr-dina'], ['usr-maria']],
      sign: [['usr-maria']],
      execution: [],
      after: 'repository',
    },
  },
  {
    webId: 'fax',
    titles: { en: 'Fax', de: 'Fax' },
    systemType: 1,
    fields: [],
    process: none,
    inactive: true,
  },
] as const satisfies readonly SeedForm[];

const all: readonly SeedForm[] = forms;

export type FormName = (typeof forms)[number]['webId'];

export function seedForm(name: FormName): { id: string; systemType: number; process: Process } {
  const index = forms.findIndex((form) => form.webId === name);
  const form = all[index];
  if (form === undefined) throw new Error(`There is no form ${name}.`);
  return { id: formId(index + 1), systemType: form.systemType, process: form.process };
}

export function seedForms(db: Database): void {
  for (const [index, form] of all.entries()) {
    const { en, ...others } = form.titles;
    const localized: Record<`doctitle_${string}`, string> = Object.fromEntries(
      Object.entries({ en, ...others }).map(([language, title]) => [`doctitle_${language}`, title]),
    );
    insertForm(db, {
      id: formId(index + 1),
      webId: form.webId,
      active: form.inactive === undefined,
      systemType: form.systemType,
      process: form.process,
      body: {
        docformtype: form.systemType === 2 ? 'recognition' : 'document',
        doctitle: en,
        ...localized,
        status: form.inactive === undefined ? 1 : 0,
        doccf: { customFields: form.fields },
        docsf: {
          docNum: { enabled: true, required: false, autoReg: true, autoRegState: 0 },
          description: {
            enabled: form.webId !== 'leave',
            required: false,
            useRTeditor: form.webId === 'policy',
            name: { en: 'Description', de: 'Beschreibung' },
          },
          docTopic: { enabled: true, required: false },
          dateCreated: { enabled: true, editable: false },
          dateDue: { enabled: form.systemType === 2, editable: true },
        },
        sysprocessunid: processId(index + 1),
        _meta: metaOf(seedMeta),
      },
    });
  }
}
