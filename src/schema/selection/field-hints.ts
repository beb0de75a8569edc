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
 * Used by projection and precheck: the hints of fields, skipped selections, and applicable fragments.
 */

/**
 * Options of a field that determine its upstream requests. Pothos passes them on with all other options.
 *
 * `Requirement` is the set of valid requirements of the type, so that a misspelt one does not compile.
 */
export interface FieldHints<Requirement extends string = string> {
  /**
   * The properties that the field reads of a Document, RecoData, RecoResult or DocumentResponse, relative to its type.
   * They determine the smallest upstream request (`projection.ts`).
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
   * Called before the operation starts. Throws if the arguments are invalid. Returns the number of upstream calls
   * (`calls`) that they cost and the number of items (`items`) that they request.
   *
   * `itemsByType` replaces both for a list of an abstract type whose arguments name the objects: the number of
   * different objects of each type. Each costs one upstream call, unless only keys are selected of its type.
   */
  precheck?: (args: never) => {
    items?: number;
    calls?: number;
    itemsByType?: ReadonlyMap<string, number>;
  };
  /** Set on a field that makes the DMS change something when it is read. A subscription must not select it. */
  hasSideEffect?: true;
  /** Set on a field that costs an upstream request per parent object, unless only keys are selected. */
  upstreamCalls?: true;
}

/** Returns the hints of a field. Empty if it has none. */
export function hintsOf(field: GraphQLField<unknown, unknown>): FieldHints {
  const { pothosOptions = {} }: { pothosOptions?: FieldHints } = field.extensions;
  return pothosOptions;
}

/** Whether `@skip` or `@include` excludes a selection. */
export function isSkipped(
  node: SelectionNode,
  variables: Readonly<Record<string, unknown>>,
): boolean {
  return (
    getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'] === true ||
    getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'] === false
  );
}

/** Whether a fragment applies to objects of the type. */
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
