import {
  getArgumentValues,
  getNamedType,
  GraphQLError,
  isAbstractType,
  isCompositeType,
  isObjectType,
  Kind,
  OperationTypeNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { measureOperation } from './operation-size.ts';
import { createGraphQLError } from '../../../schema/graphql-error.ts';
import {
  appliesTo,
  hintsOf,
  isSkipped,
  type FieldHints,
} from '../../../schema/selection/field-hints.ts';

/*
 * Checks a whole operation before it starts: arguments that otherwise only a resolver would find wrong, when other
 * upstream calls have been sent already, and nested pages that would cost more calls than are allowed. The fields declare
 * what to check (`precheck` and `upstreamCalls` of their options).
 */

/** Further errors help no client. */
const maxErrors = 20;

type Variables = Readonly<Record<string, unknown>>;

/** A field that has a cost or a precheck, or has such a field below it. */
interface CostNode {
  readonly node: FieldNode;
  readonly field: GraphQLField<unknown, unknown>;
  readonly precheck: FieldHints['precheck'];
  /** Upstream calls for each parent object. */
  readonly upstreamCalls: number;
  /** What on the way here can be skipped. */
  readonly conditions: readonly SelectionNode[];
  readonly children: readonly CostNode[];
}

/** What an operation costs with any variables. */
interface OperationCost {
  readonly costNodes: readonly CostNode[];
  readonly minCalls: number;
}

/** Per operation; a hot operation is parsed once and looked through once. */
const costByOperation = new WeakMap<OperationDefinitionNode, OperationCost>();

/** The most upstream calls that an operation may make, and the setting that says so. */
export interface CallLimit {
  readonly calls: number;
  readonly setting: 'MAX_UPSTREAM_CALLS' | 'RATE_LIMIT';
}

export interface Precheck {
  /**
   * What is wrong with the operation's arguments (`BAD_USER_INPUT`), else whether it asks by its `first`s for more upstream
   * calls than are allowed (`UPSTREAM_BUDGET_EXCEEDED`); empty where nothing is.
   */
  readonly errors: readonly GraphQLError[];
  /**
   * Estimated number of upstream calls. It leaves out everything that is shared or may not be there, so that nothing is
   * refused that could pass with full pages. A root field of a mutation is at least one call.
   */
  readonly calls: number;
}

/** Checks an operation whose variables have been coerced. */
export function precheckOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
  limit: CallLimit,
): Precheck {
  let cost = costByOperation.get(operation);
  if (cost === undefined) {
    const isMutation = operation.operation === OperationTypeNode.MUTATION;
    const minCalls = isMutation ? measureOperation(document, operation).rootFields : 0;
    cost = { costNodes: costNodesOf(schema, document, operation), minCalls };
    costByOperation.set(operation, cost);
  }
  const errors: GraphQLError[] = [];
  const calls = Math.max(cost.minCalls, estimate(cost.costNodes, variables, 1, errors));
  if (errors.length === 0 && calls > limit.calls) {
    const message = `The operation can need up to ${calls} DMS requests; ${limit.setting} allows ${limit.calls}. Request smaller pages.`;
    const extensions = { code: 'UPSTREAM_BUDGET_EXCEEDED' };
    errors.push(createGraphQLError(message, { nodes: operation, extensions }));
  }
  return { errors, calls };
}

function estimate(
  costNodes: readonly CostNode[],
  variables: Variables,
  parents: number,
  errors: GraphQLError[],
): number {
  let total = 0;
  for (const { node, field, precheck, upstreamCalls, conditions, children } of costNodes) {
    if (errors.length === maxErrors) break;
    if (conditions.some((condition) => isSkipped(condition, variables))) continue;
    let items = 1;
    let calls = upstreamCalls;
    if (precheck !== undefined) {
      try {
        const cost = precheck(getArgumentValues(field, node, variables) as never);
        items = cost.items ?? 1;
        calls += cost.calls ?? 0;
      } catch (error) {
        if (!(error instanceof GraphQLError)) throw error;
        const { message, extensions } = error;
        errors.push(createGraphQLError(message, { nodes: node, extensions }));
      }
    }
    total += parents * calls + estimate(children, variables, parents * items, errors);
  }
  return total;
}

function costNodesOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): readonly CostNode[] {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      fragments.set(definition.name.value, definition);
    }
  }

  const children = (
    set: SelectionSetNode,
    type: GraphQLObjectType,
    conditions: readonly SelectionNode[],
  ): CostNode[] =>
    set.selections.flatMap((selection) => {
      const here = selection.directives?.length ? [...conditions, selection] : conditions;
      if (selection.kind === Kind.FIELD) {
        const field = type.getFields()[selection.name.value];
        return field === undefined ? [] : costNodeOf(field, selection, here);
      }
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      if (fragment === undefined || !appliesTo(fragment, type, schema)) return [];
      return children(fragment.selectionSet, type, here);
    });

  const costNodeOf = (
    field: GraphQLField<unknown, unknown>,
    node: FieldNode,
    conditions: readonly SelectionNode[],
  ): CostNode[] => {
    const { precheck, upstreamCalls } = hintsOf(field);
    const inner = typesOf(field).flatMap((type) =>
      node.selectionSet === undefined ? [] : children(node.selectionSet, type, []),
    );
    const ownCalls = upstreamCalls && !isKeyOnly(node.selectionSet, field) ? 1 : 0;
    if (precheck === undefined && ownCalls === 0 && inner.length === 0) return [];
    return [{ node, field, precheck, upstreamCalls: ownCalls, conditions, children: inner }];
  };

  /** The object types behind a field; each sees only the fragments that apply to it. */
  const typesOf = (field: GraphQLField<unknown, unknown>): readonly GraphQLObjectType[] => {
    const type = getNamedType(field.type);
    if (isObjectType(type)) return [type];
    return isAbstractType(type) ? schema.getPossibleTypes(type) : [];
  };

  const isKeyOnly = (
    set: SelectionSetNode | undefined,
    field: GraphQLField<unknown, unknown>,
  ): boolean => {
    const type = getNamedType(field.type);
    if (set === undefined || !isCompositeType(type) || !isObjectType(type)) return true;
    return set.selections.every((selection) => {
      if (selection.kind !== Kind.FIELD) return false;
      const inner = type.getFields()[selection.name.value];
      return inner === undefined || hintsOf(inner).keyOnly === true;
    });
  };

  const root = schema.getRootType(operation.operation);
  return root ? children(operation.selectionSet, root, []) : [];
}
