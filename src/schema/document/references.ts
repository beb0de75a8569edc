import { builder } from '../builder.ts';
import { documentOf, readItems } from '../related-objects.ts';
import { cursorField, edgesOf, pageInfoField, type Edge } from '../paging/connection.ts';
import { pageOf, type ItemPage } from '../paging/read-page.ts';
import {
  pageSizeOf,
  relayArgs,
  requestedItems,
  windowOf,
  type PageArgs,
} from '../paging/window.ts';
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

/** A page of IDs of referring documents. Each document is read only if it is selected. */
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

builder.objectFields(DocumentRef, (t) => ({
  refByDocs: t.field({
    type: DocumentReferenceConnection,
    nullable: false,
    args: relayArgs,
    requires: ['refByDocs'],
    precheck: (args: PageArgs) => {
      windowOf(args, { name: 'refByDocs', scope: null });
      return { items: requestedItems(args) };
    },
    cost: (args: PageArgs) => ({ items: pageSizeOf(args) }),
    description:
      'Returns a page of the documents that refer to this document. Costs one DMS request per document of the page, unless only IDs are selected.',
    resolve: ({ fullId, refByDocs }, args) =>
      pageOf(refByDocs ?? [], args, { name: 'refByDocs', scope: fullId }),
  }),
}));
