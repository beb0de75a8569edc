import {
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  type GraphQLField,
  type GraphQLFieldConfig,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type VariableNode,
} from 'graphql';
import type { DeclaredForms } from '../../model/form.ts';
import { initialCountOf, isDeferred } from './directives.ts';
import type { OperationSize, QueryDocument } from './query-document.ts';

/** What the arguments of a field cost, per parent object. */
export interface FieldCost {
  /** Number of items that they request. Default 1. */
  readonly items?: number;
  /** Number of upstream calls. Default 0. */
  readonly calls?: number;
  /** Whether the fields of the items that have a side effect cost one call per item. */
  readonly readsSideEffects?: boolean;
  /**
   * Replaces `items` and `calls` for a list of an abstract type whose arguments name the objects: the number of different
   * objects of each type. Each costs one upstream call, unless only keys are selected of its type.
   */
  readonly itemsByType?: ReadonlyMap<string, number>;
  /** Calls of a root field that no cache and no data save, for estimates. Equal ones are one call. Default: none. */
  readonly certain?: readonly string[];
}

/**
 * Options of a field that determine its upstream requests.
 *
 * `Requirement` is the set of valid requirements of the type, so that a misspelt one does not compile.
 */
export interface FieldHints<Requirement extends string = string> {
  /**
   * The properties that the field reads of a Document, RecoData, RecoResult or DocumentResponse, relative to its type.
   * They determine the smallest upstream request (`requirements.ts`).
   */
  requires?: readonly Requirement[] | ((args: Record<string, unknown>) => readonly Requirement[]);
  /** The prefix of requirements of the selection below this field, if it is part of the same upstream request. */
  requiresUnder?: '' | 'response.' | 'recoData.' | 'result.';
  /**
   * Set on a field that needs only the key of its object. If only such fields are selected, the object costs no
   * request.
   */
  keyOnly?: true;
  /**
   * Parses the arguments before the operation starts, with the forms of the schema. Throws if they are invalid. The
   * resolver receives the result from `parsedArgs`.
   */
  parse?: (args: never, forms: DeclaredForms | null) => unknown;
  /** What the result of `parse` costs towards the limits, or the arguments if there is no `parse`. Default: nothing. */
  limitCost?: (input: never, forms: DeclaredForms | null) => FieldCost;
  /** What an estimate replaces in this cost: the largest numbers, which the limits do not count. */
  cost?: (input: never, forms: DeclaredForms | null) => FieldCost;
  /** Set on a field that makes the DMS change something when it is read. A subscription must not select it. */
  hasSideEffect?: true;
  /**
   * Set on a field that costs an upstream request per parent object, unless only keys are selected. `shared`: the objects
   * of several parents are often the same, so the limits do not count them.
   */
  upstreamCalls?: true | 'shared';
  /** How many fields it counts as towards `MAX_LIST_FIELDS`. Default 1. */
  listCost?: number;
  /** Set on a field that a team has added. */
  isTeamField?: true;
}

/** The `listCost` of a URL of a file, which is signed: about ten times the time of a plain field. */
export const urlCost = 10;

export function checksArguments({ parse, limitCost }: FieldHints): boolean {
  return parse !== undefined || limitCost !== undefined;
}

export function hintsOf({
  extensions,
}: Pick<GraphQLFieldConfig<unknown, unknown>, 'extensions'>): FieldHints {
  const { gateway = {} }: { gateway?: FieldHints } = extensions ?? {};
  return gateway;
}

export function extensionsWith(
  hints: FieldHints,
  extensions?: GraphQLFieldConfig<unknown, unknown>['extensions'],
) {
  return { ...extensions, gateway: { ...hintsOf({ extensions }), ...hints } };
}

/*
 * The plan of an operation has all that the gateway has to know of it. It is made once, after validation (`planner.ts`).
 * What depends on variables is a function of the plan.
 */

export type Variables = Readonly<Record<string, unknown>>;

export interface Selection {
  readonly type: GraphQLObjectType;
  readonly fields: readonly PlannedField[];
  readonly costedFields: readonly PlannedField[];
  readonly isKeyOnly: boolean;
  readonly varies: boolean;
  /** The cost of one object towards `MAX_LIST_FIELDS`: its fields without the items of lists below. */
  readonly listCost: number;
}

export interface Required {
  readonly requirements: ReadonlySet<string>;
  readonly deferred: ReadonlySet<string>;
  readonly isKeyOnly: boolean;
}

export function readsMore({ isKeyOnly }: Selection): boolean {
  return !isKeyOnly;
}

export interface PlannedField {
  readonly node: FieldNode;
  readonly parentType: GraphQLObjectType;
  /** The field in whose selection this one is. Null for a root field. */
  readonly parent: FieldNode | null;
  /** Null for `__typename`. */
  readonly definition: GraphQLField<unknown, unknown> | null;
  readonly hints: FieldHints;
  readonly conditions: readonly Condition[];
  readonly below: readonly Selection[];
  readonly varies: boolean;
  readonly upstreamCalls: number;
  readonly nonNullUsages: readonly NonNullUsage[];
}

export interface Condition {
  readonly node: SelectionNode;
  readonly varies: boolean;
  readonly nonNullUsages: readonly NonNullUsage[];
}

export interface NonNullUsage {
  readonly node: VariableNode;
  readonly type: GraphQLInputType;
}

export interface OperationPlan {
  readonly schema: GraphQLSchema;
  readonly document: QueryDocument;
  readonly operation: OperationDefinitionNode;
  readonly size: OperationSize;
  readonly root: Selection;
  readonly fields: ReadonlyMap<FieldNode, readonly PlannedField[]>;
  readonly nonNullUsages: readonly NonNullUsage[];
  readonly incremental: ReadonlySet<SelectionNode>;
  /** Returns what is read together with the requirements of a selection. Set if its deferred fragments are read later. */
  implied?: (required: Required) => readonly string[];
}

export function placementOf(
  { conditions }: Pick<PlannedField, 'conditions'>,
  variables: Variables,
): 'initial' | 'deferred' | 'skipped' {
  let placement: 'initial' | 'deferred' = 'initial';
  for (const { node } of conditions) {
    if (isSkipped(node, variables)) return 'skipped';
    if (isDeferred(node, variables)) placement = 'deferred';
  }
  return placement;
}

/** Whether `@defer` or `@stream` is on. graphql-js would ignore both. */
export function isInParts({ incremental }: OperationPlan, variables: Variables): boolean {
  return [...incremental].some(
    (node) => isDeferred(node, variables) || initialCountOf(node, variables) !== null,
  );
}

export function isSkipped(node: SelectionNode, variables: Variables): boolean {
  return (
    getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'] === true ||
    getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'] === false
  );
}

export function itemCostOf({ below, hints }: Pick<PlannedField, 'below' | 'hints'>): number {
  return below.length === 0 ? (hints.listCost ?? 1) : 1 + objectCostOf(below);
}

export function objectCostOf(below: readonly Selection[]): number {
  return below.reduce((most, { listCost }) => Math.max(most, listCost), 0);
}

/** Executes some operations in another way than graphql-js. */
export interface Executor {
  /** Loads what it needs. Until then, `find` returns null. */
  load(): Promise<unknown>;
  /**
   * Returns how to execute an operation: as graphql-js's `execute` does, with `variables` instead of those in `args`. Null
   * if graphql-js must do it. Called for each execution.
   */
  find: (
    plan: OperationPlan,
  ) =>
    | ((args: ExecutionArgs, variables: Variables) => Promise<ExecutionResult> | ExecutionResult)
    | null;
}
