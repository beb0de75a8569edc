import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  type ArgumentNode,
  type GraphQLArgument,
  type GraphQLInputType,
  type ValueNode,
  type VariableDefinitionNode,
  type VariableNode,
} from 'graphql';
import type { NonNullUsage } from './operation-plan.ts';

interface ArgumentVariables {
  readonly hasVariables: boolean;
  readonly nonNullUsages: readonly NonNullUsage[];
}

export class VariableReader {
  readonly nonNullUsages: NonNullUsage[] = [];
  readonly #nullable: ReadonlySet<string>;

  constructor(definitions: readonly VariableDefinitionNode[]) {
    const nullable = definitions.filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE);
    this.#nullable = new Set(nullable.map(({ variable }) => variable.name.value));
  }

  read(
    node: { readonly arguments?: readonly ArgumentNode[] },
    definitions: readonly GraphQLArgument[],
  ): ArgumentVariables {
    const usages = (node.arguments ?? []).flatMap(({ name, value }) =>
      variablesIn(value, definitions.find((one) => one.name === name.value)?.type),
    );
    const nonNullUsages = usages.flatMap(({ node: variable, type }) =>
      isNonNullType(type) && this.#nullable.has(variable.name.value)
        ? { node: variable, type }
        : [],
    );
    this.nonNullUsages.push(...nonNullUsages);
    return { hasVariables: usages.length > 0, nonNullUsages };
  }
}

export interface VariableUsage {
  readonly node: VariableNode;
  readonly type: GraphQLInputType | undefined;
}

export function variablesIn(value: ValueNode, type: GraphQLInputType | undefined): VariableUsage[] {
  if (value.kind === Kind.VARIABLE) return [{ node: value, type }];
  if (value.kind === Kind.LIST) {
    const list = type && getNullableType(type);
    const itemType = isListType(list) ? list.ofType : undefined;
    return value.values.flatMap((item) => variablesIn(item, itemType));
  }
  if (value.kind !== Kind.OBJECT) return [];
  const named = type && getNamedType(type);
  const fields = isInputObjectType(named) ? named.getFields() : {};
  return value.fields.flatMap((field) => variablesIn(field.value, fields[field.name.value]?.type));
}
