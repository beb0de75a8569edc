import { Kind } from 'graphql';
import type { GraphQLResolveInfo } from 'graphql';

import type { PeerContext, UploadedFile } from './dms.ts';
import { selectionOf } from './selection.ts';
import { documentFromWire, listValueFromWire, personFromWire } from './wire.ts';

interface DocumentParent {
  readonly fullId: string;
  readonly authorId: string | undefined;
  readonly referringIds: readonly string[];
}

interface ListValueParent {
  readonly texts: Readonly<Record<string, string>>;
  readonly parentId: string | undefined;
}

interface RespondInput {
  readonly document: string;
  readonly response: string;
  readonly action: 'APPROVE' | 'APPROVE_WITH_EDITS';
  readonly content?: string;
  readonly values?: readonly { readonly tag: string; readonly text: string }[];
}

interface CreateInput {
  readonly form: string;
  readonly files?: readonly Promise<UploadedFile>[];
}

const asks = (info: GraphQLResolveInfo, beyond: string): boolean =>
  info.fieldNodes.some(
    ({ selectionSet }) =>
      selectionSet?.selections.some(
        (each) => each.kind !== Kind.FIELD || each.name.value !== beyond,
      ) === true,
  );

/** The resolvers of every peer. Peers differ in server, executor and upstream client. */
export const RESOLVERS = {
  Query: {
    document: async (
      _root: unknown,
      { id }: { id: string },
      { dms }: PeerContext,
      info: GraphQLResolveInfo,
    ) => documentFromWire(await dms.document(id, selectionOf(info))),

    documents: async (
      _root: unknown,
      { view, first }: { view: string; first: number },
      { dms }: PeerContext,
      info: GraphQLResolveInfo,
    ) => {
      const page = await dms.inView(view.toLowerCase(), first, selectionOf(info, ['nodes']));
      return { nodes: page.documents.map(documentFromWire), totalCount: page.total };
    },

    listValue: async (_root: unknown, { id }: { id: string }, { dms }: PeerContext) =>
      listValueFromWire(await dms.listValue(id)),
  },

  Document: {
    id: ({ fullId }: DocumentParent) => Buffer.from(`Document:${fullId}`).toString('base64'),

    author: async (
      { authorId }: DocumentParent,
      _args: unknown,
      { dms }: PeerContext,
      info: GraphQLResolveInfo,
    ) => {
      if (authorId === undefined) return null;
      if (!asks(info, 'systemId')) return { __typename: 'Person', systemId: authorId };
      return personFromWire(await dms.person(authorId));
    },

    refByDocs: (
      { referringIds }: DocumentParent,
      { first }: { first: number },
      { dms }: PeerContext,
      info: GraphQLResolveInfo,
    ) => {
      const wanted = selectionOf(info, ['nodes']);
      const ids = referringIds.slice(0, first);
      return {
        totalCount: referringIds.length,
        nodes: ids.map(async (id) => documentFromWire(await dms.document(id, wanted))),
      };
    },
  },

  ListValue: {
    value: ({ texts }: ListValueParent, { language }: { language: string }) => texts[language],
    parent: async ({ parentId }: ListValueParent, _args: unknown, { dms }: PeerContext) =>
      parentId === undefined ? null : listValueFromWire(await dms.listValue(parentId)),
  },

  Mutation: {
    respondToDocument: async (
      _root: unknown,
      { input }: { input: RespondInput },
      { dms }: PeerContext,
      info: GraphQLResolveInfo,
    ) => {
      await dms.respond(input.document, input.response, {
        ...(input.values && {
          docForm: {
            valuesByTags: Object.fromEntries(input.values.map(({ tag, text }) => [tag, text])),
          },
        }),
        docResponse: { taskstatus: input.action === 'APPROVE' ? 2 : 3, content: input.content },
      });
      const wire = await dms.document(input.document, selectionOf(info, ['document']));
      return { __typename: 'RespondToDocumentPayload', document: documentFromWire(wire) };
    },

    createDocument: async (
      _root: unknown,
      { input }: { input: CreateInput },
      { dms }: PeerContext,
    ) => {
      const files = await Promise.all(input.files ?? []);
      const wire = await dms.create(input.form, files);
      return { __typename: 'CreateDocumentPayload', document: documentFromWire(wire) };
    },
  },
};
