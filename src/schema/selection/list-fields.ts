import {
  defaultFieldResolver,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isListType,
  isObjectType,
  type FieldNode,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';
import type { GatewayContext } from '../../context.ts';
import { badInput } from '../graphql-error.ts';
import { appliesTo } from './field-hints.ts';

type Resolve = GraphQLFieldResolver<unknown, GatewayContext>;
type Info = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'returnType' | 'schema'>;

/**
 * Counts the fields of every list's items before the executor completes them, and ends the operation when they are more
 * than `maxListFields`. Executors complete what a resolver returns in one go: lists in lists, each selected under many
 * aliases, would hold the event loop for seconds.
 */
export function countListFields(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      if (isListType(getNullableType(field.type))) field.resolve = counted(field);
    }
  }
  return schema;
}

function counted({
  resolve = defaultFieldResolver,
}: GraphQLField<unknown, GatewayContext>): Resolve {
  return (source, args, context, info) => {
    const list: unknown = resolve(source, args, context, info);
    if (!(list instanceof Promise)) return countItems(list, context, info);
    return list.then((settled) => countItems(settled, context, info));
  };
}

function countItems(list: unknown, context: GatewayContext, info: Info): unknown {
  if (!Array.isArray(list)) return list;
  const [first] = list as readonly unknown[];
  let fields = list.length;
  if (Array.isArray(first)) for (const row of list as unknown[][]) fields += row.length;
  else fields *= fieldsPerItem(info);
  countFields(context, fields);
  return list;
}

/** @throws BAD_USER_INPUT where the lists of the operation have more than `maxListFields` fields by now. */
export function countFields(context: GatewayContext, count: number): void {
  context.listFields += count;
  if (context.listFields <= context.maxListFields) return;
  throw badInput(
    `The lists of the response have too many fields; MAX_LIST_FIELDS allows ${context.maxListFields}. Request smaller pages or fewer fields.`,
  );
}

/**
 * Checks whether the list `name` below the current field can be returned with `count` items: after a mutation has written,
 * it is too late to reject the operation.
 * @throws BAD_USER_INPUT where the lists of the operation would have more than `maxListFields` fields
 */
export function checkFieldsBelow(
  name: string,
  count: number,
  context: GatewayContext,
  info: Info,
): void {
  const type = getNamedType(info.returnType) as GraphQLObjectType;
  const itemType = getNamedType(type.getFields()[name]!.type);
  const fields = info.fieldNodes
    .flatMap(({ selectionSet }) => fieldsNamed(name, selectionSet!, type, info))
    .reduce((total, node) => total + fieldsOf(node.selectionSet!, itemType, info), 0);
  const before = context.listFields;
  countFields(context, count * fields);
  context.listFields = before; // they are counted when they are returned
}

function fieldsNamed(
  name: string,
  set: SelectionSetNode,
  type: GraphQLObjectType,
  info: Info,
): FieldNode[] {
  return set.selections.flatMap((node) => {
    if (node.kind === 'Field') return node.name.value === name ? node : [];
    const fragment = node.kind === 'InlineFragment' ? node : info.fragments[node.name.value];
    return fragment !== undefined && appliesTo(fragment, type, info.schema)
      ? fieldsNamed(name, fragment.selectionSet, type, info)
      : [];
  });
}

/** Per field node, which belongs to one parsed operation. */
const cached = new WeakMap<FieldNode, number>();

/** Fields that are selected of an item, up to the next list; 1 for an item that has none. */
function fieldsPerItem(info: Info): number {
  const { fieldNodes } = info;
  let sum = 0;
  for (const node of fieldNodes) {
    let fields = cached.get(node);
    if (fields === undefined) {
      fields = node.selectionSet
        ? fieldsOf(node.selectionSet, getNamedType(info.returnType), info)
        : 1;
      cached.set(node, fields);
    }
    sum += fields;
  }
  return sum;
}

function fieldsOf(set: SelectionSetNode, type: GraphQLNamedType, info: Info): number {
  if (isObjectType(type)) return fieldsOfObject(set, type, info);
  if (!isAbstractType(type)) return 1;
  const types = info.schema.getPossibleTypes(type);
  return Math.max(...types.map((possible) => fieldsOfObject(set, possible, info)));
}

function fieldsOfObject(set: SelectionSetNode, type: GraphQLObjectType, info: Info): number {
  let fields = 0;
  for (const node of set.selections) {
    if (node.kind === 'Field') {
      fields += 1;
      const field = type.getFields()[node.name.value];
      if (field === undefined || node.selectionSet === undefined) continue;
      if (isListType(getNullableType(field.type))) continue; // counted when it is there
      const below = getNamedType(field.type);
      if (isCompositeType(below)) fields += fieldsOf(node.selectionSet, below, info);
    } else {
      const fragment = node.kind === 'InlineFragment' ? node : info.fragments[node.name.value];
      if (fragment !== undefined && appliesTo(fragment, type, info.schema)) {
        fields += fieldsOfObject(fragment.selectionSet, type, info);
      }
    }
  }
  return fields;
}
