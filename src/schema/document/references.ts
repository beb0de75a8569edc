import { builder } from '../builder.ts';
import { documentOf, readItems } from '../related-objects.ts';
import { cursorField, edgesOf, pageInfoField, type Edge } from '../paging/connection.ts';
import { pageOf, type ItemPage } from '../paging/read-page.ts';
import {
  checkCursors,
  parseWindow,
  relayArgs,
  type PageArgs,
  type Window,
} from '../paging/window.ts';
import { parsedArgs } from '../plan/parsed-arguments.ts';
import { DocumentRef } from '../refs.ts';

const unreadable = 'Null if the document does not exist or reading it failed.';

const ReferenceEdge = builder.objectRef<Edge<string>>('DocumentReferenceEdge').implement({
  description: 'A referring document of a page, with its cursor.',
  fields: (t) => ({
    cursor: cursorField(t),
    node: t.field({
      type: DocumentRef,
      nullable: true,
      upstreamCalls: true,
      description: `The referring document. ${unreadable}`,
      resolve: ({ node }, _args, context, info) => documentOf(node, context, info),
    }),
  }),
});

const DocumentReferenceConnection = builder
  .objectRef<ItemPage<string> & { readonly totalCount: number }>('DocumentReferenceConnection')
  .implement({
    description: 'A page of documents that refer to a document.',
    fields: (t) => ({
      edges: t.field({
        type: [ReferenceEdge],
        description: 'Documents of the page with their cursors. Without Relay, select `nodes`.',
        resolve: edgesOf,
      }),
      nodes: t.field({
        type: [DocumentRef],
        nullable: { list: false, items: true },
        upstreamCalls: true,
        description:
          'Documents of the page. An item is null if the document does not exist or reading it failed.',
        resolve: ({ items }, _args, context, info) =>
          readItems(items, (id) => documentOf(id, context, info), context, info),
      }),
      pageInfo: pageInfoField(t),
      totalCount: t.exposeInt('totalCount', {
        description: 'Number of documents that refer to this document.',
      }),
    }),
  });

const parseReferences = (args: PageArgs): Window => parseWindow(args, 'refByDocs');

builder.objectFields(DocumentRef, (t) => ({
  refByDocs: t.field({
    type: DocumentReferenceConnection,
    nullable: false,
    args: relayArgs,
    requires: ['refByDocs'],
    parse: parseReferences,
    limitCost: ({ requestedItems: items }: Window) => ({ items }),
    cost: ({ size: items }: Window) => ({ items }),
    description:
      'Returns a page of the documents that refer to this document. Costs one DMS request per document of the page, unless only IDs are selected.',
    resolve: ({ fullId, refByDocs }, args, context, info) => {
      const window = parsedArgs(parseReferences, args, context, info);
      const list = { name: 'refByDocs', scope: fullId };
      checkCursors(window, list);
      return pageOf(refByDocs ?? [], window, list);
    },
  }),
}));
