import type { GraphQLFieldConfig } from 'graphql';
import type { DeclaredForms } from '../../model/typed-form.ts';

/**
 * Options of a field that determine its upstream requests. Pothos passes them on with all other options.
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
   * Called before the operation starts, with the forms of the schema. Throws if the arguments are invalid. Returns the number of upstream calls
   * (`calls`) that they cost and the number of items (`items`) that they request.
   *
   * `itemsByType` replaces both for a list of an abstract type whose arguments name the objects: the number of
   * different objects of each type. Each costs one upstream call, unless only keys are selected of its type.
   */
  precheck?: (
    args: never,
    forms: DeclaredForms | null,
  ) => {
    items?: number;
    calls?: number;
    itemsByType?: ReadonlyMap<string, number>;
  };
  /** Set on a field that makes the DMS change something when it is read. A subscription must not select it. */
  hasSideEffect?: true;
  /** Set on a field that costs an upstream request per parent object, unless only keys are selected. */
  upstreamCalls?: true;
  /** How many fields it counts as towards `MAX_LIST_FIELDS`. Default 1. */
  listCost?: number;
  /** Set on a field that an extension added. Its values can be of any type. */
  isAdded?: true;
}

/** The `listCost` of a URL of a file, which is signed: about ten times the time of a plain field. */
export const urlCost = 10;

/** Returns the hints of a field. Empty if it has none. */
export function hintsOf({
  extensions,
}: Pick<GraphQLFieldConfig<unknown, unknown>, 'extensions'>): FieldHints {
  const { pothosOptions = {} }: { pothosOptions?: FieldHints } = extensions ?? {};
  return pothosOptions;
}
