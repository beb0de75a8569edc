import {
  Kind,
  type DocumentNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** How large one operation is, its fragments counted wherever they are spread. */
export interface Size {
  /** Levels of fields; what lies below `__schema` and `__type` is not counted. */
  readonly depth: number;
  readonly aliases: number;
  readonly rootFields: number;
  /** On the operation, its variables, fields and spreads. */
  readonly directives: number;
  /** Fields, spreads and inline fragments: what has to be walked. */
  readonly selections: number;
}

const nothing: Size = { depth: 0, aliases: 0, rootFields: 0, directives: 0, selections: 0 };

/**
 * Measures one operation. Runs before validation, so that no document that is too large is validated: unknown fragments count
 * nothing here, and a fragment that spreads itself is counted once; validation refuses both later.
 */
export function measure(document: DocumentNode, operation: OperationDefinitionNode): Size {
  return createMeasure(document)(operation);
}

/** Measures the operations of one document, its fragments once for all of them. */
export function createMeasure(
  document: DocumentNode,
): (operation: OperationDefinitionNode) => Size {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION)
      fragments.set(definition.name.value, definition);
  }
  const known = new Map<string, Size>();

  const ofFragment = (name: string): Size => {
    const size = known.get(name);
    if (size !== undefined) return size;
    known.set(name, nothing); // while it is being measured: a circle ends here
    const fragment = fragments.get(name);
    if (fragment === undefined) return nothing;
    const measured = ofSelections(fragment.selectionSet);
    known.set(name, measured);
    return measured;
  };

  const ofSelections = (set: SelectionSetNode): Size => {
    let { depth, aliases, rootFields, directives, selections } = nothing;
    for (const selection of set.selections) {
      directives += selection.directives?.length ?? 0;
      let inner = nothing;
      if (selection.kind === Kind.FIELD) {
        rootFields += 1;
        if (selection.alias) aliases += 1;
        if (selection.selectionSet) inner = ofSelections(selection.selectionSet);
        const counted = selection.name.value.startsWith('__') ? 0 : inner.depth;
        depth = Math.max(depth, 1 + counted);
      } else {
        inner =
          selection.kind === Kind.FRAGMENT_SPREAD
            ? ofFragment(selection.name.value)
            : ofSelections(selection.selectionSet);
        rootFields += inner.rootFields;
        depth = Math.max(depth, inner.depth);
      }
      aliases += inner.aliases;
      directives += inner.directives;
      selections += 1 + inner.selections;
    }
    return { depth, aliases, rootFields, directives, selections };
  };

  return (operation) => {
    const size = ofSelections(operation.selectionSet);
    const own = [operation, ...(operation.variableDefinitions ?? [])];
    const ownDirectives = own.reduce((sum, node) => sum + (node.directives?.length ?? 0), 0);
    return { ...size, directives: size.directives + ownDirectives };
  };
}
