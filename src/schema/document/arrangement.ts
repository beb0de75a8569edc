import type { GatewayContext } from '../../context.ts';
import type { Document } from '../../model/document.ts';
import type { DocumentRequirement } from '../../model/document-requirements.ts';
import { parseTimestamp } from '../../model/timestamp.ts';
import { builder } from '../builder.ts';
import { search, type SearchedTexts } from '../search.ts';

export const maxWhole = 500;

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

export const OrderInput = builder.inputType('DocumentOrder', {
  description: `An order of documents. Documents without the date come last in both directions; those with equal dates keep the order of the DMS. The DMS cannot sort, so the gateway reads the whole list: one DMS request per 100 documents, whatever the size of the page. A list of more than ${maxWhole} documents is rejected with \`BAD_USER_INPUT\`.`,
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

export type DocumentOrder = typeof OrderInput.$inferInput;

export interface Arrangement {
  readonly words: readonly string[];
  readonly orderBy: DocumentOrder | null;
}

const searched: readonly DocumentRequirement[] = ['shortId', 'files', 'values'];

function textsOf(document: Document): readonly SearchedTexts[] {
  const { shortId, files = [], values } = document;
  const own = { key: document, texts: [shortId ?? '', ...files.map(({ name }) => name)] };
  // Fields of one operation that read the same response share this object.
  return values?.byTags ? [own, { key: values.byTags, texts: values.texts() }] : [own];
}

export const readsWhole = ({ words, orderBy }: Arrangement): boolean =>
  words.length > 0 || orderBy !== null;

export function wholeOf({ words, orderBy }: Arrangement, dms: GatewayContext['dms']) {
  const isSearched = words.length > 0;
  const [argument, verb] = isSearched ? ['search', 'searches'] : ['orderBy', 'sorts'];
  return {
    max: maxWhole,
    requires: new Set([
      ...(isSearched ? searched : []),
      ...(orderBy === null ? [] : [dates[orderBy.field].requires]),
    ]),
    tooLong: (length: number | string) =>
      `\`${argument}\` ${verb} at most ${maxWhole} documents, but the list has ${length}. Narrow \`filter\`, or omit \`${argument}\`.`,
    async arrange(documents: readonly Document[]) {
      const found = isSearched ? await search(documents, words, textsOf, dms) : documents;
      return orderBy === null ? found : inOrder(found, orderBy.field, orderBy.direction);
    },
  };
}

function inOrder(
  documents: readonly Document[],
  field: DocumentOrder['field'],
  direction: DocumentOrder['direction'],
): Document[] {
  const sign = direction === 'ASC' ? 1 : -1;
  const keyOf = (date: string | null | undefined) => {
    const time = parseTimestamp(date ?? '');
    return time === null ? Infinity : sign * time.ms;
  };
  return documents
    .map((document) => ({ document, key: keyOf(dates[field].of(document)) }))
    .toSorted((a, b) => a.key - b.key || 0) // two missing dates: Infinity - Infinity is NaN
    .map(({ document }) => document);
}
