import type { DocumentRequirement } from '../../model/document-requirements.ts';
import type { Document } from '../../model/document.ts';
import { builder } from '../builder.ts';

/** Maximum number of documents that are sorted. */
export const maxSorted = 500;

/** The date of each order, and the property that contains it. */
const dates = {
  DATE_CREATED: { requires: 'dateCreated', of: ({ dateCreated }) => dateCreated },
  DATE_DUE: { requires: 'dateDue', of: ({ dateDue }) => dateDue },
  MODIFIED_AT: { requires: 'meta', of: ({ meta }) => meta?.modifiedAt },
} satisfies Record<
  string,
  { requires: DocumentRequirement; of: (document: Document) => string | null | undefined }
>;

const OrderField = builder.enumType('DocumentOrderField', {
  description: 'Dates by which documents can be sorted.',
  values: {
    DATE_CREATED: { description: '`dateCreated`: when the document was created.' },
    DATE_DUE: { description: '`dateDue`: when the document is due.' },
    MODIFIED_AT: { description: '`meta.modifiedAt`: when the document was last changed.' },
  } satisfies Record<keyof typeof dates, object>,
});

const Direction = builder.enumType('OrderDirection', {
  description: 'Directions of an order.',
  values: {
    ASC: { description: 'Ascending: the earliest date first.' },
    DESC: { description: 'Descending: the latest date first.' },
  },
});

/** The input type of the `orderBy` argument of document lists. */
export const OrderInput = builder.inputType('DocumentOrder', {
  description: `An order of documents. Documents without the date come last in both directions; those with equal dates keep the order of the DMS. The DMS cannot sort, so the gateway reads the whole list: one DMS request per 100 documents, whatever the size of the page. A list of more than ${maxSorted} documents is rejected with \`BAD_USER_INPUT\`.`,
  fields: (t) => ({
    field: t.field({ type: OrderField, required: true, description: 'Date to sort by.' }),
    direction: t.field({
      type: Direction,
      required: true,
      defaultValue: 'ASC',
      description: 'Direction of the order.',
    }),
  }),
});

/** The value of `DocumentOrder`. */
export type DocumentOrder = typeof OrderInput.$inferInput;

/** A list of documents in an order, for `PagedList.whole`. */
export function wholeInOrder({ field, direction }: DocumentOrder) {
  return {
    max: maxSorted,
    requires: new Set([dates[field].requires]),
    tooLong: (length: number | string) =>
      `\`orderBy\` sorts at most ${maxSorted} documents, but the list has ${length}. Narrow \`filter\`, or omit \`orderBy\`.`,
    arrange: (documents: readonly Document[]) => inOrder(documents, field, direction),
  };
}

function inOrder(
  documents: readonly Document[],
  field: DocumentOrder['field'],
  direction: DocumentOrder['direction'],
): Document[] {
  const sign = direction === 'ASC' ? 1 : -1;
  const keyOf = (date: string | null | undefined) =>
    date == null ? Infinity : sign * Date.parse(date);
  return documents
    .map((document) => ({ document, key: keyOf(dates[field].of(document)) }))
    .toSorted((a, b) => a.key - b.key || 0) // two missing dates: Infinity - Infinity is NaN
    .map(({ document }) => document);
}
