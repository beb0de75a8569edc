import {
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type InlineFragmentNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { fragmentsOf } from '../selection/fragments.ts';

/** The position of a field that is executed in a later part of the result. */
interface Placement {
  /** The fragments with `@defer` around the field in the selection of its parent object, outermost first. */
  readonly defers: readonly SelectionNode[];
  /** The list field with `@stream` if the field is selected directly on its items, otherwise null. */
  readonly streamed: FieldNode | null;
}

/** How an operation with `@defer` or `@stream` is executed, for all values of its variables. */
export interface IncrementalPlan {
  /**
   * The operation without the others of its query document. Fragments that are spread below the directives are inlined,
   * so each field node belongs either to the first part or to a later one. `placements` contains the latter.
   */
  readonly document: DocumentNode;
  /** The operation in `document`. */
  readonly operation: OperationDefinitionNode;
  readonly placements: ReadonlyMap<FieldNode, Placement>;
  /** All fragments with `@defer`. */
  readonly deferred: readonly SelectionNode[];
  /** All fields with `@stream`. */
  readonly streamed: readonly FieldNode[];
}

const plans = new WeakMap<OperationDefinitionNode, IncrementalPlan | null>();

/**
 * Returns the plan of an operation. Null if it has neither directive. Created once per operation of a parsed document.
 */
export function incrementalPlanOf(
  document: DocumentNode,
  operation: OperationDefinitionNode,
): IncrementalPlan | null {
  let plan = plans.get(operation);
  if (plan === undefined) {
    plan = new Planner(document).plan(operation);
    plans.set(operation, plan);
  }
  return plan;
}

const directiveNames = ['defer', 'stream'];

/** Whether a selection has the directive, even with `if: false`. */
function hasDirective({ directives }: SelectionNode, name: string): boolean {
  return directives?.some((directive) => directive.name.value === name) ?? false;
}

const noPlacement: Placement = { defers: [], streamed: null };

class Planner {
  readonly #originals: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #rewritten = new Map<string, FragmentDefinitionNode>();
  readonly #placements = new Map<FieldNode, Placement>();
  readonly #deferred: SelectionNode[] = [];
  readonly #streamed: FieldNode[] = [];

  constructor(document: DocumentNode) {
    this.#originals = fragmentsOf(document);
  }

  plan(operation: OperationDefinitionNode): IncrementalPlan | null {
    if (!this.#isIncremental(operation.selectionSet, new Set())) return null;
    const selectionSet = this.#rewriteSet(operation.selectionSet, noPlacement);
    const rewritten = { ...operation, selectionSet };
    return {
      document: {
        kind: Kind.DOCUMENT,
        definitions: [rewritten, ...this.#rewritten.values()],
      },
      operation: rewritten,
      placements: this.#placements,
      deferred: this.#deferred,
      streamed: this.#streamed,
    };
  }

  #isIncremental({ selections }: SelectionSetNode, seen: Set<string>): boolean {
    return selections.some((node) => {
      if (directiveNames.some((name) => hasDirective(node, name))) return true;
      if (node.kind !== Kind.FRAGMENT_SPREAD) {
        return node.selectionSet !== undefined && this.#isIncremental(node.selectionSet, seen);
      }
      const name = node.name.value;
      const fragment = this.#originals.get(name);
      if (fragment === undefined || seen.has(name)) return false;
      seen.add(name);
      return this.#isIncremental(fragment.selectionSet, seen);
    });
  }

  #rewriteSet(set: SelectionSetNode, placement: Placement): SelectionSetNode {
    return { ...set, selections: set.selections.map((node) => this.#rewrite(node, placement)) };
  }

  #rewrite(node: SelectionNode, placement: Placement): SelectionNode {
    if (node.kind === Kind.FIELD) return this.#rewriteField(node, placement);
    let inner = placement;
    if (hasDirective(node, 'defer')) {
      this.#deferred.push(node);
      inner = { ...placement, defers: [...placement.defers, node] };
    }
    if (node.kind === Kind.INLINE_FRAGMENT) {
      return { ...node, selectionSet: this.#rewriteSet(node.selectionSet, inner) };
    }
    return inner === noPlacement ? this.#keepSpread(node) : this.#inlineSpread(node, inner);
  }

  #rewriteField(node: FieldNode, placement: Placement): FieldNode {
    const isStreamed = hasDirective(node, 'stream');
    if (isStreamed) this.#streamed.push(node);
    const { selectionSet } = node;
    const below = isStreamed ? { defers: [], streamed: node } : noPlacement;
    const copy =
      selectionSet === undefined
        ? { ...node }
        : { ...node, selectionSet: this.#rewriteSet(selectionSet, below) };
    if (placement !== noPlacement) this.#placements.set(copy, placement);
    return copy;
  }

  #keepSpread(node: FragmentSpreadNode): FragmentSpreadNode {
    const name = node.name.value;
    const fragment = this.#originals.get(name);
    if (fragment !== undefined && !this.#rewritten.has(name)) {
      const selectionSet = this.#rewriteSet(fragment.selectionSet, noPlacement);
      this.#rewritten.set(name, { ...fragment, selectionSet });
    }
    return node;
  }

  #inlineSpread(node: FragmentSpreadNode, placement: Placement): SelectionNode {
    const fragment = this.#originals.get(node.name.value);
    if (fragment === undefined) return node; // rejected by validation
    const inline: InlineFragmentNode = {
      kind: Kind.INLINE_FRAGMENT,
      typeCondition: fragment.typeCondition,
      selectionSet: this.#rewriteSet(fragment.selectionSet, placement),
      ...(node.directives && { directives: node.directives }),
      ...(node.loc && { loc: node.loc }),
    };
    return inline;
  }
}
