import {
  Kind,
  type DocumentNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { fragmentsOf } from '../../../schema/selection/fragments.ts';

/** The size of one operation, with fragments counted at each spread. */
export interface OperationSize {
  /** Levels of fields, without those below `__schema` and `__type`. */
  readonly depth: number;
  readonly aliases: number;
  readonly rootFields: number;
  /** Directives on the operation, its variables, fields and spreads. */
  readonly directives: number;
  /** Fields, spreads and inline fragments: the number of nodes to traverse. */
  readonly selections: number;
}

const zeroSize: OperationSize = {
  depth: 0,
  aliases: 0,
  rootFields: 0,
  directives: 0,
  selections: 0,
};

/**
 * Measures one operation. It runs before validation, so that documents that are too large are not validated. Unknown
 * fragments count as empty, and a fragment that spreads itself is counted once; validation rejects both later.
 */
export function measureOperation(
  document: DocumentNode,
  operation: OperationDefinitionNode,
): OperationSize {
  return createOperationMeasure(document)(operation);
}

/** Returns a function that measures operations of one document. Each fragment is measured once. */
export function createOperationMeasure(
  document: DocumentNode,
): (operation: OperationDefinitionNode) => OperationSize {
  const fragments = fragmentsOf(document);
  const known = new Map<string, OperationSize>();

  const ofFragment = (name: string): OperationSize => {
    const size = known.get(name);
    if (size !== undefined) return size;
    known.set(name, zeroSize); // ends the recursion of a fragment that spreads itself
    const fragment = fragments.get(name);
    if (fragment === undefined) return zeroSize;
    const measured = ofSelections(fragment.selectionSet);
    known.set(name, measured);
    return measured;
  };

  const ofSelections = (set: SelectionSetNode): OperationSize => {
    let { depth, aliases, rootFields, directives, selections } = zeroSize;
    for (const selection of set.selections) {
      directives += selection.directives?.length ?? 0;
      let inner = zeroSize;
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
