import type { GraphQLResolveInfo } from 'graphql';
import type { GatewayContext } from '../context.ts';
import { checkCount } from './graphql-error.ts';
import { bounds } from './input/list-bounds.ts';
import { builder, rememberNodeType } from './builder.ts';
import { costOfReads, parseNodeId } from './ids.ts';
import { parsedArgs } from './plan/parsed-arguments.ts';
import { readItems, readObject } from './related-objects.ts';

type NodeId = ReturnType<typeof parseNodeId>;

async function readNode(
  { type, id }: NodeId,
  context: GatewayContext,
  info: GraphQLResolveInfo,
): Promise<object | null> {
  const value =
    type === 'ServiceAccount' ? { systemId: id } : await readObject(type, id, context, info);
  if (value !== null) rememberNodeType(value, type);
  return value;
}

const parseId = ({ id }: { readonly id: string }): NodeId => parseNodeId(id);

function parseIds({ ids }: { readonly ids: readonly string[] }): readonly NodeId[] {
  checkCount('ids', ids, bounds.ids);
  return ids.map((id, index) => parseNodeId(id, `ids[${index}]`));
}

const isRead = ({ type }: NodeId): boolean => type !== 'ServiceAccount';

builder.queryFields((t) => ({
  node: t.field({
    type: builder.nodeInterfaceRef(),
    nullable: true,
    description:
      'Fetches an object by its global ID. Null if it does not exist. Costs one DMS request, or none while the object is cached.',
    args: { id: t.arg.id({ required: true, description: 'Global ID of the object.' }) },
    parse: parseId,
    limitCost: (id: NodeId) => ({ calls: isRead(id) ? 1 : 0 }),
    cost: (id: NodeId, forms) => costOfReads([id], forms),
    resolve: (_root, args, context, info) =>
      readNode(parsedArgs(parseId, args, context, info), context, info),
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
    parse: parseIds,
    limitCost: (ids: readonly NodeId[]) => ({ calls: ids.filter(isRead).length }),
    cost: costOfReads,
    resolve: (_root, args, context, info) => {
      const ids = parsedArgs(parseIds, args, context, info);
      return readItems(ids, (id) => readNode(id, context, info), context, info);
    },
  }),
}));
