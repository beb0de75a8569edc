import {
  getArgumentValues,
  getNamedType,
  GraphQLError,
  isAbstractType,
  isNonNullType,
  isObjectType,
  Kind,
  OperationTypeNode,
  TypeInfo,
  ValidationContext,
  visit,
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLNonNull,
  type GraphQLNullableType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type VariableNode,
} from 'graphql';
import { badInput, createGraphQLError } from '../../../schema/graphql-error.ts';
import type { CallLimit } from './call-limit.ts';
import { measureOperation } from './operation-size.ts';
import {
  appliesTo,
  hintsOf,
  isSkipped,
  type FieldHints,
} from '../../../schema/selection/field-hints.ts';
import { fragmentsOf } from '../../../schema/selection/fragments.ts';

/*
 * Checks an operation before it starts: arguments that otherwise only a resolver would reject, after other upstream
 * calls were sent, and nested pages that would exceed the allowed number of calls. Fields declare these checks in their
 * options `precheck` and `upstreamCalls`.
 */

/** Maximum number of reported errors. */
const maxErrors = 20;

type Variables = Readonly<Record<string, unknown>>;

/** A field that has a cost or a precheck, or contains such a field. */
interface CostNode {
  readonly node: FieldNode;
  readonly field: GraphQLField<unknown, unknown>;
  readonly precheck: FieldHints['precheck'];
  /** Upstream calls per parent object. */
  readonly upstreamCalls: number;
  /** Selections from the parent to this field that have directives and can be skipped. */
  readonly conditions: readonly SelectionNode[];
  readonly branches: readonly Branch[];
}

/** What is selected below a field of objects of one type. */
interface Branch {
  readonly type: string;
  /** Whether the key alone answers it. */
  readonly keyOnly: boolean;
  readonly children: readonly CostNode[];
}

/** The cost of an operation that does not depend on its variables. */
interface OperationCost {
  readonly costNodes: readonly CostNode[];
  readonly minCalls: number;
  readonly nonNullUsages: readonly NonNullUsage[];
}

/** A variable that can be null, where a value is required. */
interface NonNullUsage {
  readonly node: VariableNode;
  readonly type: GraphQLNonNull<GraphQLNullableType>;
}

/** Cost per operation, so that a cached operation is traversed only once. */
const costByOperation = new WeakMap<OperationDefinitionNode, OperationCost>();

/** The result of checking an operation before it starts. */
export interface Precheck {
  /** The errors that reject the operation. Empty if it is accepted. */
  readonly errors: readonly GraphQLError[];
  /**
   * Estimated number of upstream calls. The estimate ignores everything that may be shared or absent, so it never
   * rejects an operation that could succeed with full pages. A page without `first` and `last` counts as one item. Each
   * root field of a mutation is at least one call.
   */
  readonly calls: number;
}

/**
 * Checks the arguments of an operation (`BAD_USER_INPUT`), then whether its page sizes can need more upstream calls
 * than allowed (`UPSTREAM_BUDGET_EXCEEDED`).
 *
 * @param variables the coerced variables
 */
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
    const nonNullUsages = nonNullUsagesOf(schema, document, operation);
    cost = { costNodes: costNodesOf(schema, document, operation), minCalls, nonNullUsages };
    costByOperation.set(operation, cost);
  }
  const isNull = ({ node }: NonNullUsage): boolean => variables[node.name.value] === null;
  if (cost.nonNullUsages.some(isNull)) {
    const { executed, executedOperation } = withoutSkipped(document, operation, variables);
    const usage = nonNullUsagesOf(schema, executed, executedOperation).find(isNull);
    if (usage !== undefined) return { errors: [nullError(usage)], calls: 0 };
  }
  const errors: GraphQLError[] = [];
  const calls = Math.max(cost.minCalls, estimate(cost.costNodes, variables, 1, errors));
  if (errors.length === 0 && calls > limit.calls) {
    const message = `The operation can need up to ${calls} DMS requests; ${limit.setting} allows ${limit.calls}. Request smaller pages.`;
    // The request is invalid: no call has exceeded the budget.
    const http = { status: 400, spec: true };
    const extensions = { code: 'UPSTREAM_BUDGET_EXCEEDED', http };
    errors.push(createGraphQLError(message, { nodes: operation, extensions }));
  }
  return { errors, calls };
}

/**
 * Finds the usages of variables that validation accepts, although their value can be null, because the variable or the
 * argument has a default value. graphql-js rejects null only when it executes the field: after other fields were
 * executed, and as an unexpected error.
 */
function nonNullUsagesOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): NonNullUsage[] {
  const nullable = new Set(
    (operation.variableDefinitions ?? [])
      .filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE)
      .map(({ variable }) => variable.name.value),
  );
  if (nullable.size === 0) return [];
  const context = new ValidationContext(schema, document, new TypeInfo(schema), () => {});
  return context
    .getRecursiveVariableUsages(operation)
    .flatMap(({ node, type }) =>
      isNonNullType(type) && nullable.has(node.name.value) ? [{ node, type }] : [],
    );
}

/** The document and its operation without the selections that `@skip` and `@include` leave out. */
function withoutSkipped(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
) {
  const removeSkipped = (node: SelectionNode): null | undefined => {
    try {
      return isSkipped(node, variables) ? null : undefined;
    } catch {
      return undefined; // its condition is null, which is an error
    }
  };
  const executed = visit(document, {
    Field: removeSkipped,
    FragmentSpread: removeSkipped,
    InlineFragment: removeSkipped,
  });
  const position = document.definitions.indexOf(operation);
  return {
    executed,
    executedOperation: executed.definitions[position] as OperationDefinitionNode,
  };
}

function nullError({ node, type }: NonNullUsage): GraphQLError {
  const message = `The variable "$${node.name.value}" must not be null, because it is used where the type "${String(type)}" is required.`;
  return createGraphQLError(message, { nodes: node, extensions: { code: 'BAD_USER_INPUT' } });
}

/** An event would change the DMS, perhaps every few seconds, although nobody asked for it. */
function rejectInSubscription(name: string): never {
  throw badInput(
    `\`${name}\` cannot be selected in a subscription, because selecting it makes the DMS create a response.`,
  );
}

function estimate(
  costNodes: readonly CostNode[],
  variables: Variables,
  parents: number,
  errors: GraphQLError[],
): number {
  let total = 0;
  for (const { node, field, precheck, upstreamCalls, conditions, branches } of costNodes) {
    if (errors.length === maxErrors) break;
    if (conditions.some((condition) => isSkipped(condition, variables))) continue;
    let items = 1;
    let calls = upstreamCalls;
    let itemsByType: ReadonlyMap<string, number> | undefined;
    if (precheck !== undefined) {
      try {
        const cost = precheck(getArgumentValues(field, node, variables) as never);
        items = cost.items ?? 1;
        calls += cost.calls ?? 0;
        ({ itemsByType } = cost);
      } catch (error) {
        if (!(error instanceof GraphQLError)) throw error;
        const { message, extensions } = error;
        errors.push(createGraphQLError(message, { nodes: node, extensions }));
      }
    }
    total += parents * calls;
    for (const { type, keyOnly, children } of branches) {
      const objects = parents * (itemsByType === undefined ? items : (itemsByType.get(type) ?? 0));
      if (itemsByType !== undefined && !keyOnly) total += objects;
      total += estimate(children, variables, objects, errors);
    }
  }
  return total;
}

function costNodesOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): readonly CostNode[] {
  const fragments = fragmentsOf(document);

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
    const { upstreamCalls, hasSideEffect, ...hints } = hintsOf(field);
    const isRejected = hasSideEffect && operation.operation === 'subscription';
    const precheck = isRejected ? () => rejectInSubscription(field.name) : hints.precheck;
    const { selectionSet } = node;
    const branches =
      selectionSet === undefined
        ? []
        : typesOf(field).map((type) => ({
            type: type.name,
            keyOnly: isKeyOnly(selectionSet, type),
            children: children(selectionSet, type, []),
          }));
    const ownCalls = upstreamCalls && branches.some(({ keyOnly }) => !keyOnly) ? 1 : 0;
    const isFree = branches.every((branch) => branch.children.length === 0);
    if (precheck === undefined && ownCalls === 0 && isFree) return [];
    return [{ node, field, precheck, upstreamCalls: ownCalls, conditions, branches }];
  };

  /** The object types of a field's value. Only fragments that apply to a type are counted for it. */
  const typesOf = (field: GraphQLField<unknown, unknown>): readonly GraphQLObjectType[] => {
    const type = getNamedType(field.type);
    if (isObjectType(type)) return [type];
    return isAbstractType(type) ? schema.getPossibleTypes(type) : [];
  };

  const isKeyOnly = (set: SelectionSetNode, type: GraphQLObjectType): boolean =>
    set.selections.every((selection) => {
      if (selection.kind === Kind.FIELD) {
        const inner = type.getFields()[selection.name.value];
        return inner === undefined || hintsOf(inner).keyOnly === true;
      }
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      if (fragment === undefined || !appliesTo(fragment, type, schema)) return true;
      return isKeyOnly(fragment.selectionSet, type);
    });

  const root = schema.getRootType(operation.operation);
  return root ? children(operation.selectionSet, root, []) : [];
}
