import type { RecoEntry, RecoForm } from '../store/recognition.ts';
import type { Draft } from './drafts.ts';
import { orderLines } from './drafts.ts';
import { seedForm } from './forms.ts';
import { seedId } from './ids.ts';
import { organizationName } from './organizations.ts';

const invoiceForm: RecoForm = {
  form: seedForm('invoice').id,
  id: seedId.recoForm(1),
  name: 'Invoice, European layout',
};
/** A recognition form without a document form: its `form` is null (REST spec, RecoData). */
const deliveryNote: RecoForm = { form: null, id: seedId.recoForm(2), name: 'Delivery note' };

/**
 * The recognition entries of the n-th document: the invoice on its first pages, and the delivery note on the last of
 * three pages.
 */
export function recoEntriesFor(n: number, draft: Draft): RecoEntry[] {
  const { rows, totalCents } = orderLines(n);
  const document = seedId.document(n);
  const lastPage = draft.pages.length - 1;
  const invoicePages = Math.min(1, lastPage);
  const entries: RecoEntry[] = [
    {
      id: seedId.recoEntry(n * 0x10),
      document,
      body: {
        pageIdxStart: 0,
        pageIdxEnd: invoicePages,
        validated: draft.nth % 2 === 0,
        recoForm: invoiceForm,
        valuesByTags: {
          vendor: organizationName(draft.nth),
          number: draft.values.number ?? '',
          total: (totalCents / 100).toFixed(2),
          lines: rows,
        },
        recoResult: { recoForm: invoiceForm, recoFormConfidence: 70 + (n % 30) },
      },
    },
  ];
  if (lastPage > invoicePages) {
    entries.push({
      id: seedId.recoEntry(n * 0x10 + 1),
      document,
      body: {
        pageIdxStart: invoicePages + 1,
        pageIdxEnd: lastPage,
        validated: false,
        recoForm: deliveryNote,
        valuesByTags: {
          number: draft.values.number ?? '',
          goods: rows.map((row) => [row[1] ?? '', row[2] ?? '']),
        },
        recoResult: { recoForm: deliveryNote, recoFormConfidence: 50 + (n % 40) },
      },
    });
  }
  return entries;
}
