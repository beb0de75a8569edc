import type { GraphQLResolveInfo } from 'graphql';
import type { GatewayContext } from '../context.ts';
import { checkCount } from './graphql-error.ts';
import { bounds } from './input/list-bounds.ts';
import { builder, rememberNodeType } from './builder.ts';
import { readItems } from './nullable-items.ts';
import { parseNodeId, type NodeType } from './ids.ts';
import { documentRequirements } from './plan/requirements.ts';

type Read = (
  id: string,
  context: GatewayContext,
  info: GraphQLResolveInfo,
) => Promise<object | null>;

/** Reads an object of each type by its ID in the DMS. */
const loadNode: Record<NodeType, Read> = {
  Document: (id, { loaders }, info) =>
    loaders.document.load(id, documentRequirements(info, 'Document')),
  DocumentResponse: (id, { loaders }) => loaders.documentResponse.load(id),
  Organization: (id, { loaders }) => loaders.organization.load(id),
  ListValue: (id, { loaders }) => loaders.listValue.load(id),
  Form: (id, { loaders }) => loaders.form.load(id),
  Person: (id, { loaders }) => loaders.person.load(id),
  OrgUnit: (id, { loaders }) => loaders.orgUnit.load(id),
};

/**
 * Reads an object by its type and its ID in the DMS. Null if it does not exist. Documents are read with the projection
 * of the selection. Costs one upstream request, or none if the operation has already read the object.
 */
export async function readNode(
  { type, id }: ReturnType<typeof parseNodeId>,
  context: GatewayContext,
  info: GraphQLResolveInfo,
): Promise<object | null> {
  const value = await loadNode[type](id, context, info);
  if (value !== null) rememberNodeType(value, type);
  return value;
}

function nodeIds(ids: readonly string[]): ReturnType<typeof parseNodeId>[] {
  checkCount('ids', ids, bounds.ids);
  return ids.map((id, index) => parseNodeId(id, `ids[${index}]`));
}

builder.queryFields((t) => ({
  node: t.field({
    type: builder.nodeInterfaceRef(),
    nullable: true,
    description:
      'Fetches an object by its global ID. Null if it does not exist. Costs one DMS request, or none while the object is cached.',
    args: { id: t.arg.id({ required: true, description: 'Global ID of the object.' }) },
    precheck: ({ id }: { id: string }) => {
      parseNodeId(id);
      return { calls: 1 };
    },
    resolve: (_root, args, context, info) => readNode(parseNodeId(args.id), context, info),
  }),
  nodes: t.field({
    type: [builder.nodeInterfaceRef()],
    nullable: { list: false, items: true },
    description:
      'Fetches objects by their global IDs, in the given order. An item is null if the object does not exist or reading it failed. Costs up to one DMS request per object.',
    args: {
      ids: t.arg.idList({
        required: true,
        description: `Global IDs of the objects, at most ${bounds.ids}.`,
      }),
    },
    precheck: ({ ids }: { ids: string[] }) => ({ calls: nodeIds(ids).length }),
    resolve: (_root, { ids }, context, info) =>
      readItems(nodeIds(ids), (id) => readNode(id, context, info), context, info),
  }),
}));
