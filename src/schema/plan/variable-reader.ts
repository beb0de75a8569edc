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

/** What is known of the variables in the arguments of one field or directive. */
interface ArgumentVariables {
  readonly hasVariables: boolean;
  readonly nonNullUsages: readonly NonNullUsage[];
}

/** Reads which variables the arguments of an operation use, and where. */
export class VariableReader {
  /** Usages of nullable variables where a value is required, in all arguments that were read. */
  readonly nonNullUsages: NonNullUsage[] = [];
  readonly #nullable: ReadonlySet<string>;

  constructor(definitions: readonly VariableDefinitionNode[]) {
    const nullable = definitions.filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE);
    this.#nullable = new Set(nullable.map(({ variable }) => variable.name.value));
  }

  /** @param definitions of the arguments */
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

/** A variable in a value. */
export interface VariableUsage {
  readonly node: VariableNode;
  /** Undefined within a literal of a custom scalar. */
  readonly type: GraphQLInputType | undefined;
}

/** The variables in a value of an argument. @param type of the argument */
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
