import type { Values } from '../store/documents.ts';
import { listValueId } from './directories.ts';
import type { FormName } from './forms.ts';
import { seedId } from './ids.ts';
import { organizationId, organizationName } from './organizations.ts';
import { staff } from './people.ts';

/** The business content of a seeded document, without its position in the workflow. */
export interface Draft {
  readonly form: FormName;
  /** Index of the document among those of its form, from 0. */
  readonly nth: number;
  readonly topic: string;
  readonly values: Values;
  readonly tags: readonly string[];
  readonly files: readonly DraftFile[];
  /** Page texts, from which a `pdf` file is rendered. */
  readonly pages: readonly string[];
}

interface DraftFile {
  readonly name: string;
  /** `pdf`: rendered from the page texts on first download. */
  readonly content: Uint8Array | 'pdf';
}

export const documentCount = 200;

/** The forms of ten consecutive documents: three invoices, two contracts, and one of each other form. */
const round: readonly FormName[] = [
  'invoice',
  'contract',
  'purchase',
  'invoice',
  'leave',
  'letter',
  'contract',
  'memo',
  'invoice',
  'policy',
];

/** The form of the n-th document (from 1), and its index among the documents of that form. */
function formOf(n: number): { form: FormName; nth: number } {
  const position = (n - 1) % round.length;
  const form = round[position] ?? 'memo';
  const perRound = round.filter((other) => other === form).length;
  const before = round.slice(0, position).filter((other) => other === form).length;
  return { form, nth: Math.floor((n - 1) / round.length) * perRound + before };
}

/** The contract among the same ten documents. Three invoices and a letter refer to it. */
function contractNear(n: number): string {
  return seedId.document(Math.floor((n - 1) / 20) * 20 + 2);
}

const person = (n: number): string => staff[n % staff.length] ?? 'usr-ann';
const day = (n: number): string => {
  const date = new Date(Date.UTC(2026, 0, 5 + Math.floor(n * 1.5)));
  return date.toISOString().slice(0, 10);
};
const money = (cents: number): string => (cents / 100).toFixed(2);
const text = (content: string): Uint8Array => new TextEncoder().encode(content);

const goods = [
  ['Copy paper A4', 489],
  ['Toner cartridge', 7990],
  ['Steel sheet 2 mm', 12450],
  ['Pallet transport', 18900],
  ['Maintenance hour', 9500],
  ['Safety gloves', 1290],
] as const;

/** Rows with number, article, quantity, unit price and amount, after a row of column names. */
export function orderLines(n: number): { rows: string[][]; totalCents: number } {
  const rows: string[][] = [];
  let totalCents = 0;
  for (let line = 0; line < 2 + (n % 4); line += 1) {
    const [article, cents] = goods[(n + line) % goods.length] ?? goods[0];
    const quantity = 1 + ((n * 7 + line * 3) % 12);
    totalCents += quantity * cents;
    rows.push([String(line + 1), article, String(quantity), money(cents), money(quantity * cents)]);
  }
  return { rows: [['Pos', 'Article', 'Quantity', 'Price', 'Amount'], ...rows], totalCents };
}

type DraftWriter = (n: number, nth: number) => Omit<Draft, 'form' | 'nth'>;

const draftWriters: Readonly<Record<FormName, DraftWriter>> = {
  invoice(n, nth) {
    const number = `RE-2026-${String(nth + 1).padStart(4, '0')}`;
    const { rows, totalCents } = orderLines(n);
    const supplier = organizationName(nth);
    const listing = rows.map((row) => row.join('   ')).join('\n');
    const pages = [
      `${supplier}\n\nInvoice ${number}\nDate ${day(n)}\n\n${listing}\n\nTotal ${money(totalCents)}`,
      `${supplier}\nInvoice ${number}, page 2\n\nTerms of payment: 30 days net.\nDelivery note follows.`,
      `Delivery note for invoice ${number}\n\n${listing}`,
    ].slice(0, 1 + (nth % 3));
    const note = { name: `Lieferschein ${number}.csv`, content: text(toCsv(rows)) };
    return {
      topic: `Invoice ${number} of ${supplier}`,
      values: {
        number,
        date: day(n),
        supplier: organizationId(nth),
        costcentre: listValueId('costcentres', n),
        currency: listValueId('currencies', nth % 7 === 6 ? 1 : 0),
        total: money(totalCents),
        buyer: person(n),
        contract: contractNear(n),
        lines: rows,
        refdocs: contractNear(n),
      },
      tags: ['finance', ...(nth % 4 === 0 ? ['urgent'] : []), ...(nth % 5 === 0 ? ['q1'] : [])],
      files: [{ name: `Rechnung ${number}.pdf`, content: 'pdf' }, ...(nth % 3 === 1 ? [note] : [])],
      pages,
    };
  },
  contract(n, nth) {
    const number = `C-${String(nth + 1).padStart(3, '0')}`;
    const partner = organizationName(nth + 3);
    return {
      topic: `Frame contract ${number} with ${partner}`,
      values: {
        partner: organizationId(nth + 3),
        responsible: person(n + 4),
        validfrom: day(n),
        validto: day(n + 240),
        milestones: [
          ['Milestone', 'Due', 'Responsible'],
          ['Kick-off', day(n + 10), person(n)],
          ['First delivery', day(n + 60), person(n + 1)],
        ],
        refdocs: n > 2 ? seedId.document(n - 1) : '',
      },
      tags: ['legal', ...(nth % 3 === 0 ? ['confidential'] : [])],
      files: [
        { name: `Vertrag ${number}.pdf`, content: 'pdf' },
        {
          name: `Annex A – ${number}.txt`,
          content: text(`Annex A to contract ${number}\nPrices hold until ${day(n + 240)}.\n`),
        },
      ],
      pages: [
        `Contract ${number}\n\nbetween Example AG and ${partner}\n\n1. Subject\n2. Term: from ${day(n)}`,
        `Contract ${number}, signatures\n\nPlace, date`,
      ],
    };
  },
  purchase(n) {
    const { rows } = orderLines(n + 2);
    return {
      topic: `Purchase request ${n}: ${rows[1]?.[1] ?? 'goods'}`,
      values: {
        subject: `Order of ${rows[1]?.[1] ?? 'goods'}`,
        costcentre: listValueId('costcentres', n + 1),
        vendor: organizationId(n),
        items: rows,
        refdocs: n > 20 ? `${contractNear(n)}, ${seedId.document(n - 10)}` : contractNear(n),
      },
      tags: ['purchasing'],
      files: [{ name: 'items.csv', content: text(toCsv(rows)) }],
      pages: [],
    };
  },
  leave(n) {
    return {
      topic: `Leave from ${day(n + 30)}`,
      values: {
        kind: listValueId('leavetypes', n),
        from: day(n + 30),
        to: day(n + 37),
        substitute: person(n + 3),
      },
      tags: ['hr'],
      files:
        n % 20 === 5
          ? []
          : [{ name: 'request.txt', content: text(`Leave as agreed, ${day(n)}\n`) }],
      pages: [],
    };
  },
  letter(n, nth) {
    const subjects = ['Reminder', 'Complaint', 'Tax assessment', 'Offer', 'Запит інформації'];
    const subject = subjects[nth % subjects.length] ?? 'Letter';
    const scripts = ['Лист', '見積書', 'Schreiben über Maß', 'O\'Neill "final"', 'lettre à signer'];
    return {
      topic: `${subject} from ${organizationName(nth)}`,
      values: {
        sender: organizationId(nth),
        subject,
        addressee: person(n),
        refdocs: contractNear(n),
      },
      tags: ['post', ...(nth % 2 === 0 ? ['urgent'] : [])],
      files: [
        {
          name: `${scripts[nth % scripts.length] ?? 'letter'} ${nth + 1}.txt`,
          content: text(`${subject}\n\n${organizationName(nth)}\n${day(n)}\n`),
        },
      ],
      pages: [`${subject}\n\n${organizationName(nth)}\n${day(n)}`],
    };
  },
  memo(n) {
    const subject = ['Weekly meeting', 'Server maintenance', 'Office move'][n % 3] ?? 'Memo';
    return {
      topic: subject,
      values: { subject, refdocs: n > 10 ? seedId.document(n - 1) : '' },
      tags: [],
      files: [{ name: `${subject}.md`, content: text(`# ${subject}\n\nNotes of ${day(n)}.\n`) }],
      pages: [],
    };
  },
  policy(n, nth) {
    const subject =
      ['Travel', 'Information security', 'Signatures', 'Records'][nth % 4] ?? 'Policy';
    return {
      topic: `${subject} policy, edition ${Math.floor(nth / 4) + 1}`,
      values: { subject, owner: person(n), refdocs: nth > 3 ? seedId.document(n - 40) : '' },
      tags: ['policy', ...(nth % 2 === 0 ? ['hr'] : [])],
      files: [{ name: `${subject}.pdf`, content: 'pdf' }],
      pages: [`${subject} policy\n\nValid from ${day(n)} for everybody in the company.`],
    };
  },
  fax: () => ({ topic: 'Fax', values: {}, tags: [], files: [], pages: [] }),
};

/** The n-th seeded document, counted from 1. */
export function draftOf(n: number): Draft {
  const { form, nth } = formOf(n);
  return { form, nth, ...draftWriters[form](n, nth) };
}

function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map((cell) => `"${cell}"`).join(';')).join('\r\n');
}
