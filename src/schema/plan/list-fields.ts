import {
  defaultFieldResolver,
  getNullableType,
  isListType,
  isObjectType,
  type GraphQLError,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
} from 'graphql';
import type { GatewayContext } from '../../context.ts';
import { badInput } from '../graphql-error.ts';
import { listCostOf, referenceCost } from './operation-plan.ts';
import { fieldsOf, type FieldInfo } from './planner.ts';

type Resolve = GraphQLFieldResolver<unknown, GatewayContext>;

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
export function countItems(list: unknown, context: GatewayContext, info: FieldInfo): unknown {
  if (!Array.isArray(list)) return list;
  let fields = list.length;
  if (list.some(Array.isArray)) {
    for (const row of list as unknown[]) if (Array.isArray(row)) fields += row.length;
  } else fields *= costPerItem(info);
  countFields(context, fields);
  return list;
}

/** Adds to the number of list fields of the operation. @throws BAD_USER_INPUT above `maxListFields` */
export function countFields(context: GatewayContext, count: number): void {
  context.listFields += count;
  if (context.listFields > context.maxListFields) throw tooManyFields(context);
}

/**
 * Counts the objects of a list of IDs before they are read. A list of too many fails alone: it costs nothing, and one
 * document with such a list does not prevent reading others.
 *
 * @throws BAD_USER_INPUT if the lists of the operation would have more than `maxListFields` fields
 */
export function countReferences(context: GatewayContext, count: number): void {
  const fields = count * referenceCost;
  if (context.listFields + fields > context.maxListFields) throw tooManyFields(context);
  context.listFields += fields;
}

const tooManyFields = ({ maxListFields }: GatewayContext): GraphQLError =>
  badInput(
    `The lists of the response have too many fields; MAX_LIST_FIELDS allows ${maxListFields}. Request smaller pages or fewer fields.`,
  );

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
  info: FieldInfo,
): void {
  const lists = fieldsOf(info)
    .flatMap(({ below }) => below.flatMap(({ fields }) => fields))
    .filter(({ node }) => node.name.value === name);
  checkFields(context, count * lists.reduce((sum, list) => sum + listCostOf(list), 0));
}

/** The cost of the fields that are selected of an item, without nested lists. */
function costPerItem(info: FieldInfo): number {
  return fieldsOf(info).reduce((sum, field) => sum + listCostOf(field), 0);
}
