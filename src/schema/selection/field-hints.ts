import {
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isAbstractType,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  type InlineFragmentNode,
  type SelectionNode,
} from 'graphql';

/*
 * What projection and precheck both use of a selection: the hints of its fields, what is skipped,
 * and which fragments apply.
 */

/**
 * Options of a field that say what it costs; Pothos hands them on with all others.
 *
 * `Requirement` is what a field of the type may require: a misspelt requirement does not compile.
 */
export interface FieldHints<Requirement extends string = string> {
  /**
   * The properties that the field reads of a Document, RecoData, RecoResult or DocumentResponse,
   * relative to its type; from them comes the smallest request (`projection.ts`).
   */
  requires?: readonly Requirement[] | ((args: Record<string, unknown>) => readonly Requirement[]);
  /** The prefix under which what is selected below this field belongs to the same request. */
  requiresUnder?: '' | 'response.' | 'recoData.' | 'result.';
  /** Set on a field that the key alone answers: an object of which nothing else is selected costs no request. */
  keyOnly?: true;
  /**
   * Called before the operation starts: throws if the arguments are wrong; returns the number of upstream calls that
   * their values cost (`calls`) and the number of items that they request (`items`).
   */
  precheck?: (args: never) => { items?: number; calls?: number };
  /** Set on a field that makes the DMS change something when it is read: a subscription must not select it. */
  hasSideEffect?: true;
  /** Set on a field that costs an upstream request for each of its parents, unless only keys are selected. */
  upstreamCalls?: true;
}

/** What a field says beside itself. */
export function hintsOf(field: GraphQLField<unknown, unknown>): FieldHints {
  const { pothosOptions = {} }: { pothosOptions?: FieldHints } = field.extensions;
  return pothosOptions;
}

/** Whether `@skip` or `@include` leave it out. */
export function isSkipped(
  node: SelectionNode,
  variables: Readonly<Record<string, unknown>>,
): boolean {
  return (
    getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'] === true ||
    getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'] === false
  );
}

/** Whether what a fragment selects is selected of an object of this type. */
export function appliesTo(
  { typeCondition }: FragmentDefinitionNode | InlineFragmentNode,
  type: GraphQLObjectType,
  schema: GraphQLSchema,
): boolean {
  const condition = typeCondition?.name.value;
  if (condition === undefined || condition === type.name) return true;
  const named = schema.getType(condition);
  return isAbstractType(named) && schema.isSubType(named, type);
}
