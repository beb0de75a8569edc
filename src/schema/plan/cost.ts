import { getArgumentValues, type GraphQLError } from 'graphql';
import type { GatewayContext, ParsedArguments } from '../../context.ts';
import type { DeclaredForms } from '../../model/form.ts';
import { isFullId } from '../../model/resource.ts';
import { badInput, createGraphQLError, isGraphQLError } from '../graphql-error.ts';
import {
  checksArguments,
  isSkipped,
  placementOf,
  readsMore,
  type FieldCost,
  type NonNullUsage,
  type OperationPlan,
  type PlannedField,
  type Variables,
} from './operation-plan.ts';
import { parseOnce } from './parsed-arguments.ts';

/*
 * Checks an operation before it starts: arguments that otherwise only a resolver would reject, after other upstream
 * calls were sent, and nested pages that would exceed the allowed number of calls. Fields declare these checks in their
 * options `parse`, `limitCost` and `upstreamCalls`.
 */

export interface CallLimit {
  readonly calls: number;
  readonly setting: 'MAX_UPSTREAM_CALLS' | 'RATE_LIMIT';
}

export interface CallLimits {
  readonly maxUpstreamCalls: number;
  readonly rateLimit: number | null;
}

export function callLimitFrom({ maxUpstreamCalls, rateLimit }: CallLimits): CallLimit {
  return rateLimit !== null && rateLimit < maxUpstreamCalls
    ? { calls: rateLimit, setting: 'RATE_LIMIT' }
    : { calls: maxUpstreamCalls, setting: 'MAX_UPSTREAM_CALLS' };
}

const maxErrors = 20;

export interface Precheck {
  readonly errors: readonly GraphQLError[];
  /**
   * Estimated number of upstream calls. The estimate ignores everything that may be shared or absent, so it never
   * rejects an operation that could succeed with full pages. A page without `first` and `last` counts as one item. Each
   * root field of a mutation is at least one call.
   */
  readonly calls: number;
  readonly parsedArguments: ParsedArguments;
}

export function precheckOperation(
  plan: OperationPlan,
  variables: Variables,
  limit: CallLimit,
  forms: DeclaredForms | null,
): Precheck {
  const { operation, root, size } = plan;
  const parsedArguments: ParsedArguments = new Map();
  const isNull = ({ node }: NonNullUsage): boolean => variables[node.name.value] === null;
  if (plan.nonNullUsages.some(isNull)) {
    const usage = findUsage(root.fields, variables, isNull);
    if (usage !== undefined) return { errors: [nullError(usage)], calls: 0, parsedArguments };
  }
  const errors: GraphQLError[] = [];
  const isSubscription = operation.operation === 'subscription';
  const isForLimits = true;
  const checked = { variables, errors, isSubscription, forms, isForLimits, parsedArguments };
  const estimated = estimate(root.costedFields, 1, checked);
  const calls =
    operation.operation === 'mutation' ? Math.max(size.rootFields, estimated) : estimated;
  if (errors.length === 0 && calls > limit.calls) {
    const message = `The operation can need up to ${calls} DMS requests; ${limit.setting} allows ${limit.calls}. Request smaller pages.`;
    // The request is invalid: no call has exceeded the budget.
    const http = { status: 400, spec: true };
    const extensions = { code: 'UPSTREAM_BUDGET_EXCEEDED', http };
    errors.push(createGraphQLError(message, { nodes: operation, extensions }));
  }
  return { errors, calls, parsedArguments };
}

/**
 * Finds a usage in a field that is executed. graphql-js rejects null only when it executes the field: after other fields
 * were executed, and as an unexpected error.
 */
function findUsage(
  fields: readonly PlannedField[],
  variables: Variables,
  isNull: (usage: NonNullUsage) => boolean,
): NonNullUsage | undefined {
  for (const { conditions, nonNullUsages, below } of fields) {
    let isExecuted = true;
    for (const condition of conditions) {
      const usage = condition.nonNullUsages.find(isNull);
      if (usage !== undefined) return usage;
      isExecuted = !isSkipped(condition.node, variables);
      if (!isExecuted) break;
    }
    if (!isExecuted) continue;
    const inner = below.flatMap((selection) => selection.fields);
    const usage = nonNullUsages.find(isNull) ?? findUsage(inner, variables, isNull);
    if (usage !== undefined) return usage;
  }
  return undefined;
}

function nullError({ node, type }: NonNullUsage): GraphQLError {
  const message = `The variable "$${node.name.value}" must not be null, because it is used where the type "${String(type)}" is required.`;
  return createGraphQLError(message, { nodes: node, extensions: { code: 'BAD_USER_INPUT' } });
}

export interface OperationCost {
  /**
   * Largest number: all pages are full, each related object is another one, and nothing is cached. A list whose length
   * only the DMS knows counts as one item.
   */
  readonly upstreamCalls: number;
  /** Smallest number: all lists are empty, everything that can be cached is cached, and no input is rejected. */
  readonly atLeast: number;
}

/** @internal */
export function costOfOperation(
  plan: OperationPlan,
  variables: Variables,
  { forms, parsedArguments }: Pick<GatewayContext, 'forms' | 'parsedArguments'>,
): OperationCost {
  const { operation, root, size } = plan;
  const isMutation = operation.operation === 'mutation';
  const checked = {
    variables,
    errors: [],
    isSubscription: false,
    forms,
    isForLimits: false,
    parsedArguments,
  };
  const upstreamCalls = estimate(root.fields, 1, checked);
  const certain = new Map<string, Set<string>>();
  for (const field of root.fields) {
    // A deferred field can find what it reads.
    if (placementOf(field, variables) !== 'initial') continue;
    const { alias, name } = field.node;
    const key = isMutation ? (alias ?? name).value : ''; // the fields of a mutation share nothing
    const calls = certain.get(key) ?? new Set();
    certain.set(key, calls);
    for (const call of costOf(field, checked).certain ?? []) calls.add(call);
  }
  return {
    upstreamCalls: isMutation ? Math.max(size.rootFields, upstreamCalls) : upstreamCalls,
    atLeast: [...certain.values()].reduce((sum, calls) => sum + countDistinct([...calls]), 0),
  };
}

const documentPrefix = 'Document:';

/** A document is read once, also if it is requested by its full and its short ID, which only the DMS can compare. */
function countDistinct(calls: readonly string[]): number {
  const ids = calls
    .filter((call) => call.startsWith(documentPrefix))
    .map((call) => call.slice(documentPrefix.length));
  const full = ids.filter(isFullId).length;
  return calls.length - Math.min(full, ids.length - full);
}

interface Estimate {
  readonly variables: Variables;
  readonly errors: GraphQLError[];
  readonly isSubscription: boolean;
  readonly forms: DeclaredForms | null;
  readonly isForLimits: boolean;
  readonly parsedArguments: ParsedArguments;
}

/**
 * Returns the number of upstream calls of the fields of `parents` objects.
 *
 * @param readsSideEffects whether those that have a side effect cost one more call per object, however many there are
 */
function estimate(
  fields: readonly PlannedField[],
  parents: number,
  checked: Estimate,
  readsSideEffects = false,
): number {
  let total = 0;
  let sideEffects = 0;
  for (const field of fields) {
    if (checked.errors.length === maxErrors) break;
    if (placementOf(field, checked.variables) === 'skipped') continue;
    const { hints } = field;
    const { items = 1, calls = 0, itemsByType, ...cost } = costOf(field, checked);
    const upstreamCalls = callsOf(field, checked.isForLimits);
    total += parents * (upstreamCalls + calls);
    if (readsSideEffects && hints.hasSideEffect) sideEffects = parents;
    // A field without a cost, such as `nodes`, leads to the same objects.
    const isSame = !checksArguments(hints) && upstreamCalls === 0;
    const readsBelow = cost.readsSideEffects ?? (isSame && readsSideEffects);
    // An object has one type. The limits add up all of them.
    const isSum = checked.isForLimits || itemsByType !== undefined;
    let below = 0;
    for (const { type, isKeyOnly, costedFields, fields: all } of field.below) {
      const objects =
        parents * (itemsByType === undefined ? items : (itemsByType.get(type.name) ?? 0));
      const own = itemsByType !== undefined && !isKeyOnly ? objects : 0;
      const inner = checked.isForLimits ? costedFields : all;
      const ofType = own + estimate(inner, objects, checked, readsBelow);
      below = isSum ? below + ofType : Math.max(below, ofType);
    }
    total += below;
  }
  return total + sideEffects;
}

function callsOf({ upstreamCalls, hints, below }: PlannedField, isForLimits: boolean): number {
  if (isForLimits) return upstreamCalls;
  return hints.upstreamCalls !== undefined && below.some(readsMore) ? 1 : 0;
}

function costOf(field: PlannedField, checked: Estimate): FieldCost {
  const { node, definition, hints } = field;
  const { parse, limitCost, cost, hasSideEffect } = hints;
  const { variables, errors, isSubscription, forms, isForLimits, parsedArguments } = checked;
  try {
    if (hasSideEffect && isSubscription) rejectInSubscription(node.name.value);
    const estimated = isForLimits ? undefined : cost;
    if ((parse ?? limitCost ?? estimated) === undefined) return {};
    const readArgs = (): unknown => getArgumentValues(definition!, node, variables);
    const input = parseOnce(field, readArgs, parsedArguments, forms) as never;
    const counted = limitCost?.(input, forms) ?? {};
    return estimated === undefined ? counted : { ...counted, ...estimated(input, forms) };
  } catch (error) {
    if (!isGraphQLError(error)) throw error;
    const { message, extensions } = error;
    errors.push(createGraphQLError(message, { nodes: node, extensions }));
    return {};
  }
}

/** An event would change the DMS, perhaps every few seconds, although nobody asked for it. */
function rejectInSubscription(name: string): never {
  throw badInput(
    `\`${name}\` cannot be selected in a subscription, because selecting it makes the DMS create a response.`,
  );
}
