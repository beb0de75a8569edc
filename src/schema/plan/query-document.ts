import {
  parse,
  Source,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValidationRule,
} from 'graphql';
import { fragmentsOf, sizesOf, type OperationSize } from './operation-size.ts';

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
