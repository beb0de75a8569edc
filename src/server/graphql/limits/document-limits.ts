import type { DocumentNode, GraphQLError } from 'graphql';
import { createGraphQLError } from '../../../schema/graphql-error.ts';
import { sizesOf, type OperationSize } from '../../../schema/plan/operation-size.ts';

/** Maximum size of an operation. The limits are inclusive. */
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

/** Returns an error for each limit that an operation of the document exceeds. Empty if there is none. */
export function checkLimits(document: DocumentNode, limits: DocumentLimits): GraphQLError[] {
  const errors: GraphQLError[] = [];
  for (const [operation, size] of sizesOf(document)) {
    for (const bound of bounds) {
      if (size[bound.size] <= limits[bound.limit]) continue;
      const message = `The operation has ${size[bound.size]} ${bound.what}; ${bound.setting} allows ${limits[bound.limit]}.`;
      errors.push(createGraphQLError(message, { nodes: operation }));
    }
  }
  return errors;
}
