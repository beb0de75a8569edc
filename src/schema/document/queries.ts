import type { GraphQLResolveInfo } from 'graphql';
import type { GatewayContext } from '../../context.ts';
import type { Document, DocumentFilter, DocumentView } from '../../model/document.ts';
import type { DocumentRequirements } from '../../model/document-requirements.ts';
import type { DeclaredForms } from '../../model/form.ts';
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
import { maxSearchLength, searchWords } from '../search.ts';
import { DocumentRef, FormRef, PersonRef } from '../refs.ts';
import {
  maxWhole,
  OrderInput,
  readsWhole,
  wholeOf,
  type Arrangement,
  type DocumentOrder,
} from './arrangement.ts';
import { filterOf, FilterInput, type FilterArgs } from './filter.ts';

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
    search: t.string({
      description: `Return only documents in which each of these words occurs, regardless of case and accents: in the short ID, the name of a file, or the text of a value or of a cell of a table; at most ${maxSearchLength} characters. Blank text matches all. The DMS cannot search, so the gateway reads the whole list, with its values: one DMS request per 100 documents. A list of more than ${maxWhole} documents is rejected with \`BAD_USER_INPUT\`: narrow \`view\` or \`filter\`. \`totalCount\` is the number of matches. A cursor belongs to one search.`,
    }),
    orderBy: t.field({
      type: OrderInput,
      description: `Sort the documents. Without it they have the order of the DMS. Costs one DMS request per 100 documents of the whole list, which can have at most ${maxWhole}; \`response\` costs one more per document of the page. A cursor belongs to one order.`,
    }),
  })),
  ...pageArgs,
};

interface ViewArgs extends PageArgs {
  readonly view: DocumentView;
  readonly filter?: FilterArgs | null | undefined;
  readonly search?: string | null | undefined;
  readonly orderBy?: DocumentOrder | null | undefined;
}

interface ViewRequest extends Arrangement {
  readonly view: DocumentView;
  readonly filter: DocumentFilter;
  readonly window: Window;
}

const listName = 'documents';

function parseView(args: ViewArgs, forms: DeclaredForms | null): ViewRequest {
  const { view, orderBy } = args;
  const filter = filterOf(args.filter, forms);
  const words = searchWords(args.search);
  return { view, filter, words, orderBy: orderBy ?? null, window: parseWindow(args, listName) };
}

function withList(request: ViewRequest): ViewRequest & { readonly list: List } {
  const { view, filter, words, orderBy, window } = request;
  const arrangement = [
    ...(words.length > 0 ? [words] : []),
    ...(orderBy === null ? [] : [orderBy]),
  ];
  const scope = JSON.stringify([view, filter, ...arrangement]);
  const list = { name: listName, scope };
  checkCursors(window, list);
  return { ...request, list };
}

const costOf = (request: ViewRequest) =>
  readsWhole(request)
    ? { ...costOfWhole(request.window, maxWhole), readsSideEffects: true }
    : costOfPage(request.window);

const maxCostOf = (request: ViewRequest) =>
  readsWhole(request) ? { items: request.window.size } : maxCostOfPage(request.window);

/** Even an empty page is read. Pages of one view can be the same. */
const certainOf = (request: ViewRequest): readonly string[] => [
  `documents ${request.view}`,
  ...(!readsWhole(request) && countsFirst(request.window) ? [`count ${request.view}`] : []),
];

const DocumentConnection = defineConnection(
  'Document',
  DocumentRef,
  { one: 'a document', many: 'documents' },
  { requiresUnder: '' },
);

function documentsIn(
  request: ViewRequest & { readonly list: List },
  context: GatewayContext,
  info: GraphQLResolveInfo,
): Promise<ItemPage<Document>> {
  const { view, filter, window, list } = request;
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
    whole: readsWhole(request) ? { ...wholeOf(request, dms), withResponses } : undefined,
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
      'Returns a page of the documents in a view. Costs one DMS request per 100 items; `last` without `before` costs one more. With `search` or `orderBy`, costs one per 100 documents of the whole list.',
    resolve: (_root, args, context, info) =>
      documentsIn(parsedArgs(parseDocuments, args, context, info), context, info),
  }),
);

const parserWithin =
  (fixed: 'forms' | 'authors') =>
  (args: ViewArgs, forms: DeclaredForms | null): ViewRequest => {
    if (args.filter?.[fixed] == null) return parseView(args, forms);
    throw badInput(
      `\`filter.${fixed}\` cannot be set here: this field already filters by ${fixed === 'forms' ? 'form' : 'author'}.`,
    );
  };

const parseWithin = { forms: parserWithin('forms'), authors: parserWithin('authors') };

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
