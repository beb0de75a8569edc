import {
  getNamedType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';
import { fragmentsOf } from '../../schema/selection/fragments.ts';
import type { MutationInfo } from '../http/http-exchange.ts';

type Data = Readonly<Record<string, unknown>>;

/** What is selected of an object: selection sets with the type that they apply to. */
interface Selected {
  readonly set: SelectionSetNode;
  readonly type: GraphQLNamedType;
}

/** The field behind a key of the response. */
interface SelectedField {
  readonly type: GraphQLOutputType;
  readonly below: readonly Selected[];
}

/**
 * Reduces the data of a mutation to the outcomes of its writes: payloads, expected errors, and the null of failed
 * items. Objects with a global ID, which were read after the writes, become null. If their field is not nullable, they
 * keep their scalar fields, and everything below them becomes null or an empty list.
 */
export function withoutReads(data: Data, { schema, document, operation }: MutationInfo): Data {
  const root = schema.getMutationType();
  if (root == null) return data;
  return new Reduction(schema, fragmentsOf(document)).reduce(
    data,
    [{ set: operation.selectionSet, type: root }],
    false,
  ) as Data;
}

class Reduction {
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;

  constructor(schema: GraphQLSchema, fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
    this.#schema = schema;
    this.#fragments = fragments;
  }

  /** @param isRead whether the value belongs to an object that was read after a write */
  reduce(value: unknown, selected: readonly Selected[], isRead: boolean): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.reduce(item, selected, isRead));
    const fields = this.#fieldsOf(selected);
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        this.#reduceField(inner, fields.get(key), isRead),
      ]),
    );
  }

  #reduceField(value: unknown, field: SelectedField | undefined, isRead: boolean): unknown {
    if (typeof value !== 'object' || value === null || field === undefined) return value;
    const { type, below } = field;
    const isNode = below.some((one) => hasGlobalId(one.type));
    if (!isRead && !isNode) return this.reduce(value, below, false);
    if (!isNonNullType(type)) return null;
    if (Array.isArray(value)) return [];
    return this.reduce(value, below, true);
  }

  /** The fields of an object by their key in the response. Fields with the same key have types of the same shape. */
  #fieldsOf(selected: readonly Selected[]): ReadonlyMap<string, SelectedField> {
    const fields = new Map<string, SelectedField>();
    const add = ({ set, type }: Selected): void => {
      for (const node of set.selections) {
        if (node.kind !== 'Field') {
          const fragment =
            node.kind === 'InlineFragment' ? node : this.#fragments.get(node.name.value);
          if (fragment === undefined) continue;
          const condition = fragment.typeCondition?.name.value;
          const inner = condition === undefined ? type : this.#schema.getType(condition);
          if (inner !== undefined) add({ set: fragment.selectionSet, type: inner });
          continue;
        }
        if (!isObjectType(type) && !isInterfaceType(type)) continue;
        const field = type.getFields()[node.name.value];
        if (field === undefined) continue; // `__typename`
        const key = node.alias?.value ?? node.name.value;
        const named = getNamedType(field.type);
        const below = [...(fields.get(key)?.below ?? [])];
        if (node.selectionSet) below.push({ set: node.selectionSet, type: named });
        fields.set(key, { type: field.type, below });
      }
    };
    for (const one of selected) add(one);
    return fields;
  }
}

function hasGlobalId(type: GraphQLNamedType): boolean {
  return isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node');
}
