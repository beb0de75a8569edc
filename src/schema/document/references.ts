import { builder } from '../builder.ts';
import { documentOf, readItems } from '../related-objects.ts';
import { cursorField, edgesOf, pageInfoField, type Edge } from '../paging/connection.ts';
import type { ItemPage } from '../paging/read-page.ts';
import {
  relayArgs,
  requestedItems,
  slice,
  toCursor,
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
        description: 'Documents of the page with their cursors.',
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
    description:
      'Returns a page of the documents that refer to this document. Costs one DMS request per document of the page, unless only IDs are selected.',
    resolve: ({ fullId, refByDocs }, args) => {
      const list = { name: 'refByDocs', scope: fullId };
      const ids = refByDocs ?? [];
      const { first, pageSize } = slice(windowOf(args, list), ids.length);
      const items = ids.slice(first, first + pageSize);
      return {
        items,
        totalCount: ids.length,
        start: first,
        hasNextPage: first + items.length < ids.length,
        cursor: (index: number) => toCursor(list.name, list.scope, index),
      };
    },
  }),
}));
