import type { GraphQLResolveInfo } from 'graphql';
import type { GatewayContext } from '../../context.ts';
import type { Document, DocumentFilter, DocumentView } from '../../model/document.ts';
import type {
  DocumentRequirements,
  DocumentRequirement,
} from '../../model/document-requirements.ts';
import type { DeclaredForms } from '../../model/form.ts';
import { parseTimestamp } from '../../model/timestamp.ts';
import { badInput } from '../graphql-error.ts';
import { builder } from '../builder.ts';
import { defineQueryById } from '../ids.ts';
import { defineConnection, readConnection, type PagedList } from '../paging/connection.ts';
import {
  costOfPage,
  costOfWhole,
  countsFirst,
  maxCostOfPage,
  type ItemPage,
} from '../paging/read-page.ts';
import {
  checkCursors,
  pageArgs,
  parseWindow,
  type List,
  type PageArgs,
  type Window,
} from '../paging/window.ts';
import { parsedArgs } from '../plan/parsed-arguments.ts';
import { DocumentRef, FormRef, PersonRef } from '../refs.ts';
import { filterOf, FilterInput, type FilterArgs } from './filter.ts';

/** Maximum number of documents that are sorted. */
const maxSorted = 500;

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

const OrderInput = builder.inputType('DocumentOrder', {
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

type DocumentOrder = typeof OrderInput.$inferInput;

/** A list of documents in an order, for `PagedList.whole`. */
function wholeInOrder({ field, direction }: DocumentOrder) {
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
  const keyOf = (date: string | null | undefined) => {
    const time = parseTimestamp(date ?? '');
    return time === null ? Infinity : sign * time.ms;
  };
  return documents
    .map((document) => ({ document, key: keyOf(dates[field].of(document)) }))
    .toSorted((a, b) => a.key - b.key || 0) // two missing dates: Infinity - Infinity is NaN
    .map(({ document }) => document);
}

const View = builder.enumType('DocumentView', {
  description: 'Views of the documents that the user can see.',
  values: {
    INBOX: { description: 'Documents in the inbox of the user.' },
    MY_DOCS: { description: 'Documents that were created by the user or on the user’s behalf.' },
    REPOSITORY: { description: 'Documents in the repository.' },
    ARCHIVE: { description: 'Documents in the archive.' },
    ALL: { description: 'All documents that the user can see.' },
  } satisfies Record<DocumentView, object>,
});

const viewArgs = {
  ...builder.args((t) => ({
    view: t.field({
      type: View,
      required: true,
      defaultValue: 'ALL',
      description: 'View to read from.',
    }),
    filter: t.field({
      type: FilterInput,
      description: 'Return only documents that match this filter.',
    }),
    orderBy: t.field({
      type: OrderInput,
      description: `Sort the documents. Without it they have the order of the DMS. Costs one DMS request per 100 documents of the whole list, which can have at most ${maxSorted}; \`response\` costs one more per document of the page. A cursor belongs to one order.`,
    }),
  })),
  ...pageArgs,
};

interface ViewArgs extends PageArgs {
  readonly view: DocumentView;
  readonly filter?: FilterArgs | null | undefined;
  readonly orderBy?: DocumentOrder | null | undefined;
}

/** What the arguments request. */
interface ViewRequest {
  readonly view: DocumentView;
  readonly filter: DocumentFilter;
  readonly orderBy: DocumentOrder | null;
  readonly window: Window;
}

const listName = 'documents';

function parseView(args: ViewArgs, forms: DeclaredForms | null): ViewRequest {
  const { view, orderBy } = args;
  const filter = filterOf(args.filter, forms);
  return { view, filter, orderBy: orderBy ?? null, window: parseWindow(args, listName) };
}

/**
 * Adds the list to a request. The list of a form or person depends on that object.
 *
 * @throws BAD_USER_INPUT for cursors of other lists
 */
function withList(request: ViewRequest): ViewRequest & { readonly list: List } {
  const { view, filter, orderBy, window } = request;
  const scope = JSON.stringify([view, filter, ...(orderBy === null ? [] : [orderBy])]);
  const list = { name: listName, scope };
  checkCursors(window, list);
  return { ...request, list };
}

const costOf = ({ orderBy, window }: ViewRequest) =>
  orderBy === null
    ? costOfPage(window)
    : { ...costOfWhole(window, maxSorted), readsSideEffects: true };

const maxCostOf = ({ orderBy, window }: ViewRequest) =>
  orderBy === null ? maxCostOfPage(window) : { items: window.size };

/** Even an empty page is read. Pages of one view can be the same. */
const certainOf = ({ view, orderBy, window }: ViewRequest): readonly string[] => [
  `documents ${view}`,
  ...(orderBy === null && countsFirst(window) ? [`count ${view}`] : []),
];

const DocumentConnection = defineConnection(
  'Document',
  DocumentRef,
  { one: 'a document', many: 'documents' },
  { requiresUnder: '' },
);

/** Reads a page of a view. Costs one upstream request per 100 documents, whichever of their properties are selected. */
function documentsIn(
  { view, filter, orderBy, window, list }: ViewRequest & { readonly list: List },
  context: GatewayContext,
  info: GraphQLResolveInfo,
): Promise<ItemPage<Document>> {
  const { dms, loaders, incremental } = context;
  // A document whose response is not found has none.
  const withResponses = (items: readonly Document[], requirements: DocumentRequirements) =>
    Promise.all(
      items.map(async (item) => (await loaders.document.load(item.fullId, requirements)) ?? item),
    );
  const paged: PagedList<Document> = {
    ...list,
    read: (page, requirements) => dms.documents.inView({ view, filter, page }, requirements),
    prime(items, requirements, readAgain) {
      loaders.document.prime(items, requirements);
      incremental?.addPage(items, requirements, readAgain);
    },
    keyOf: ({ fullId }) => fullId,
    whole: orderBy === null ? undefined : { ...wholeInOrder(orderBy), withResponses },
  };
  return readConnection(paged, window, context, info);
}

const parseDocuments = (args: ViewArgs, forms: DeclaredForms | null) =>
  withList(parseView(args, forms));

builder.queryField('documents', (t) =>
  t.field({
    type: DocumentConnection,
    args: viewArgs,
    parse: parseDocuments,
    limitCost: costOf,
    cost: (request: ViewRequest) => ({ ...maxCostOf(request), certain: certainOf(request) }),
    description:
      'Returns a page of the documents in a view. Costs one DMS request per 100 items; `last` without `before` costs one more.',
    resolve: (_root, args, context, info) =>
      documentsIn(parsedArgs(parseDocuments, args, context, info), context, info),
  }),
);

/** Returns the function that parses the arguments of the documents of a form or person. */
const parserWithin =
  (fixed: 'forms' | 'authors') =>
  (args: ViewArgs, forms: DeclaredForms | null): ViewRequest => {
    if (args.filter?.[fixed] == null) return parseView(args, forms);
    throw badInput(
      `\`filter.${fixed}\` cannot be set here: this field already filters by ${fixed === 'forms' ? 'form' : 'author'}.`,
    );
  };

const parseWithin = { forms: parserWithin('forms'), authors: parserWithin('authors') };

/** The options of a field with the documents of a form or person, without its resolver. */
const documentsWithin = (fixed: 'forms' | 'authors', which: string) => ({
  type: DocumentConnection,
  nullable: true as const,
  keyOnly: true as const,
  args: viewArgs,
  parse: parseWithin[fixed],
  limitCost: costOf,
  cost: maxCostOf,
  description: `Returns a page of the documents ${which}. \`filter.${fixed}\` cannot be set here. Costs one DMS request per 100 items; \`last\` without \`before\` costs one more.`,
});

builder.objectField(FormRef, 'documents', (t) =>
  t.field({
    ...documentsWithin('forms', 'of this form'),
    resolve: ({ fullId }, args, context, info) => {
      const { filter, ...request } = parsedArgs(parseWithin.forms, args, context, info);
      const within = withList({ ...request, filter: { ...filter, forms: [fullId] } });
      return documentsIn(within, context, info);
    },
  }),
);

builder.objectField(PersonRef, 'documents', (t) =>
  t.field({
    ...documentsWithin('authors', 'that this person created'),
    resolve: ({ systemId }, args, context, info) => {
      const { filter, ...request } = parsedArgs(parseWithin.authors, args, context, info);
      const within = withList({ ...request, filter: { ...filter, authors: [systemId] } });
      return documentsIn(within, context, info);
    },
  }),
);

defineQueryById(
  'Document',
  DocumentRef,
  'Global, full or short ID of the document, such as `DOC-0042`.',
  'Fetches a document by its ID. Costs one DMS request.',
);
