import {
  Kind,
  parse,
  Source,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationRule,
} from 'graphql';
import { createGraphQLError } from '../graphql-error.ts';

interface Validation {
  readonly schema: GraphQLSchema;
  readonly rules: readonly ValidationRule[];
  readonly errors: readonly GraphQLError[];
}

const documents = new WeakMap<DocumentNode, QueryDocument>();

export class QueryDocument {
  readonly node: DocumentNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly sizes: ReadonlyMap<OperationDefinitionNode, OperationSize>;
  /** Whether the gateway has parsed it. A plugin that parses documents is responsible for validating them. */
  readonly isOwn: boolean;
  validation: Validation | null = null;

  constructor(node: DocumentNode, isOwn: boolean) {
    this.node = node;
    this.fragments = fragmentsOf(node);
    this.sizes = sizesOf(node, this.fragments);
    this.isOwn = isOwn;
    documents.set(node, this);
  }

  static of(node: DocumentNode): QueryDocument {
    return documents.get(node) ?? new QueryDocument(node, false);
  }

  /**
   * Parses a query text and removes the text from the result. graphql-js counts the lines from the start of the text for
   * each error with a node, which takes seconds if both are many. The tokens contain their lines (`locationsOf`).
   *
   * @throws {GraphQLError}
   */
  static parse(text: string, maxTokens: number): QueryDocument {
    const source = new Source(text);
    const node = parse(source, { maxLexicalTokens: maxTokens, maxComments: maxTokens });
    source.body = '';
    return new QueryDocument(node, true);
  }
}

export interface OperationSize {
  readonly depth: number;
  readonly aliases: number;
  readonly rootFields: number;
  readonly directives: number;
  readonly incremental: number;
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

/**
 * Measures the operations of a document. It runs before validation, so that documents that are too large are not
 * validated, and each fragment is measured once. Unknown fragments count as empty, and a fragment that spreads itself is
 * counted once; validation rejects both later.
 */
function sizesOf(
  document: DocumentNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): ReadonlyMap<OperationDefinitionNode, OperationSize> {
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

function fragmentsOf({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  return new Map(
    definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
}

export interface DocumentLimits {
  readonly maxDepth: number;
  readonly maxAliases: number;
  readonly maxRootFields: number;
  readonly maxDirectives: number;
  /**
   * Maximum number of tokens of a document, and of selections of an operation with expanded fragments. A few tokens are
   * enough for exponentially many selections if fragments spread each other twice.
   */
  readonly maxTokens: number;
}

const bounds: readonly {
  readonly size: keyof OperationSize;
  readonly limit: keyof DocumentLimits;
  readonly setting: string;
  readonly what: string;
}[] = [
  { size: 'depth', limit: 'maxDepth', setting: 'MAX_DEPTH', what: 'levels of fields' },
  { size: 'aliases', limit: 'maxAliases', setting: 'MAX_ALIASES', what: 'aliases' },
  { size: 'rootFields', limit: 'maxRootFields', setting: 'MAX_ROOT_FIELDS', what: 'root fields' },
  { size: 'directives', limit: 'maxDirectives', setting: 'MAX_DIRECTIVES', what: 'directives' },
  {
    size: 'selections',
    limit: 'maxTokens',
    setting: 'MAX_TOKENS',
    what: 'selections with expanded fragments',
  },
];

export function checkLimits(
  sizes: ReadonlyMap<OperationDefinitionNode, OperationSize>,
  limits: DocumentLimits,
): GraphQLError[] {
  const errors: GraphQLError[] = [];
  for (const [operation, size] of sizes) {
    for (const bound of bounds) {
      if (size[bound.size] <= limits[bound.limit]) continue;
      const message = `The operation has ${size[bound.size]} ${bound.what}; ${bound.setting} allows ${limits[bound.limit]}.`;
      errors.push(createGraphQLError(message, { nodes: operation }));
    }
  }
  return errors;
}
