import {
  Kind,
  type DocumentNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** What is known of one operation before validation. Fragments are counted at each spread. */
export interface OperationSize {
  /** Levels of fields, without those below `__schema` and `__type`. */
  readonly depth: number;
  readonly aliases: number;
  readonly rootFields: number;
  /** Directives on the operation, its variables, fields and spreads. */
  readonly directives: number;
  /** Directives `@defer` and `@stream`, also those with `if: false`. */
  readonly incremental: number;
  /** Fields, spreads and inline fragments: the number of nodes to traverse. */
  readonly selections: number;
}

const zero: OperationSize = {
  depth: 0,
  aliases: 0,
  rootFields: 0,
  directives: 0,
  incremental: 0,
  selections: 0,
};

const measured = new WeakMap<DocumentNode, ReadonlyMap<OperationDefinitionNode, OperationSize>>();

/**
 * Measures the operations of a document, once per document. It runs before validation, so that documents that are too
 * large are not validated, and each fragment is measured once. Unknown fragments count as empty, and a fragment that
 * spreads itself is counted once; validation rejects both later.
 */
export function sizesOf(
  document: DocumentNode,
): ReadonlyMap<OperationDefinitionNode, OperationSize> {
  let sizes = measured.get(document);
  if (sizes === undefined) {
    sizes = measure(document);
    measured.set(document, sizes);
  }
  return sizes;
}

function measure(document: DocumentNode): Map<OperationDefinitionNode, OperationSize> {
  const fragments = fragmentsOf(document);
  const known = new Map<string, OperationSize>();

  const ofFragment = (name: string): OperationSize => {
    const size = known.get(name);
    if (size !== undefined) return size;
    known.set(name, zero); // ends the recursion of a fragment that spreads itself
    const fragment = fragments.get(name);
    if (fragment === undefined) return zero;
    const found = ofSelections(fragment.selectionSet);
    known.set(name, found);
    return found;
  };

  const belowOf = (node: SelectionNode): OperationSize => {
    if (node.kind === Kind.FRAGMENT_SPREAD) return ofFragment(node.name.value);
    return node.selectionSet === undefined ? zero : ofSelections(node.selectionSet);
  };

  const ofSelections = (set: SelectionSetNode): OperationSize => {
    const size = { ...zero };
    for (const node of set.selections) {
      const { directives = [] } = node;
      const below = belowOf(node);
      let { rootFields, depth } = below;
      if (node.kind === Kind.FIELD) {
        rootFields = 1;
        depth = 1 + (node.name.value.startsWith('__') ? 0 : depth);
        if (node.alias) size.aliases += 1;
      }
      size.depth = Math.max(size.depth, depth);
      size.rootFields += rootFields;
      size.aliases += below.aliases;
      size.directives += directives.length + below.directives;
      size.incremental += directives.filter(isIncremental).length + below.incremental;
      size.selections += 1 + below.selections;
    }
    return size;
  };

  const sizes = new Map<OperationDefinitionNode, OperationSize>();
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const size = ofSelections(definition.selectionSet);
    const own = [definition, ...(definition.variableDefinitions ?? [])];
    const ownDirectives = own.reduce((sum, node) => sum + (node.directives?.length ?? 0), 0);
    sizes.set(definition, { ...size, directives: size.directives + ownDirectives });
  }
  return sizes;
}

function isIncremental({ name }: { readonly name: { readonly value: string } }): boolean {
  return name.value === 'defer' || name.value === 'stream';
}

/** Returns the fragment definitions of a query document by name. Empty if it has none. */
export function fragmentsOf({
  definitions,
}: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  return new Map(
    definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
}
