import { getNamedType, isNonNullType, isObjectType } from 'graphql';
import type { OperationPlan, PlannedField, Selection } from '../../schema/plan/operation-plan.ts';

type Data = Readonly<Record<string, unknown>>;

/**
 * Reduces the data of a mutation to the outcomes of its writes: payloads, expected errors, and the null of failed
 * items. Objects with a global ID, which were read after the writes, become null. If their field is not nullable, they
 * keep their scalar fields, and everything below them becomes null or an empty list.
 */
export function withoutReads(data: Data, { root }: OperationPlan): Data {
  return reduce(data, [root], false) as Data;
}

/**
 * @param selected what can be selected of the value: the type of an object is not known
 * @param isRead whether the value belongs to an object that was read after a write
 */
function reduce(value: unknown, selected: readonly Selection[], isRead: boolean): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => reduce(item, selected, isRead));
  const all = selected.flatMap(({ fields }) => fields);
  const byKey = Map.groupBy(all, ({ node }) => node.alias?.value ?? node.name.value);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, reduceField(inner, byKey.get(key), isRead)]),
  );
}

/** @param fields those with the same key in the response. They have types of the same shape. */
function reduceField(
  value: unknown,
  fields: readonly PlannedField[] = [],
  isRead: boolean,
): unknown {
  const [field] = fields;
  if (typeof value !== 'object' || value === null || field?.definition == null) return value;
  const below = fields.flatMap((one) => one.below);
  if (!isRead && !fields.some(hasGlobalId)) return reduce(value, below, false);
  if (!isNonNullType(field.definition.type)) return null;
  if (Array.isArray(value)) return [];
  return reduce(value, below, true);
}

function hasGlobalId({ definition }: PlannedField): boolean {
  const type = definition && getNamedType(definition.type);
  return isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node');
}
