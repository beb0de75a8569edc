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
 * Counts the fields of all list items before they are completed, and fails the operation if they exceed
 * `maxListFields`. Executors complete a resolved list synchronously, so nested lists under many aliases would block the
 * event loop for seconds.
 */
export function countListFields(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      if (isListType(getNullableType(field.type))) field.resolve = withCount(field);
    }
  }
  return schema;
}

function withCount({
  resolve = defaultFieldResolver,
}: GraphQLField<unknown, GatewayContext>): Resolve {
  return (source, args, context, info) => {
    countFields(context, 0); // nothing more is read for an operation that has failed
    const list: unknown = resolve(source, args, context, info);
    if (!(list instanceof Promise)) return countItems(list, context, info);
    return list.then((settled) => countItems(settled, context, info));
  };
}

/**
 * Counts the fields of a list's items and returns the list. Other values are returned without counting.
 *
 * @throws BAD_USER_INPUT if the lists of the operation have more than `maxListFields` fields so far
 */
export function countItems(list: unknown, context: GatewayContext, info: Info): unknown {
  if (!Array.isArray(list)) return list;
  const [first] = list as readonly unknown[];
  let fields = list.length;
  if (Array.isArray(first)) for (const row of list as unknown[][]) fields += row.length;
  else fields *= fieldsPerItem(info);
  countFields(context, fields);
  return list;
}

/** Adds to the number of list fields of the operation. @throws BAD_USER_INPUT above `maxListFields` */
export function countFields(context: GatewayContext, count: number): void {
  context.listFields += count;
  if (context.listFields <= context.maxListFields) return;
  throw badInput(
    `The lists of the response have too many fields; MAX_LIST_FIELDS allows ${context.maxListFields}. Request smaller pages or fewer fields.`,
  );
}

/**
 * Checks whether a list can be returned before it is built. It is counted when it is returned.
 *
 * @param count number of its fields
 * @throws BAD_USER_INPUT if the lists of the operation would have more than `maxListFields` fields
 */
export function checkFields(context: GatewayContext, count: number): void {
  if (context.listFields + count > context.maxListFields) countFields(context, count);
}

/**
 * Checks whether the list `name` below the current field can be returned with `count` items. A mutation checks this
 * before it writes, because it cannot be rejected afterwards.
 * @throws BAD_USER_INPUT if the lists of the operation would have more than `maxListFields` fields
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
  checkFields(context, count * fields);
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

/** Cached by field node, which belongs to one parsed operation. */
const cached = new WeakMap<FieldNode, number>();

/** Number of fields that are selected of an item, without nested lists; 1 for a scalar. */
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
      if (isListType(getNullableType(field.type))) continue; // counted when it is resolved
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
