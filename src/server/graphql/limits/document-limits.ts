import { Kind, type DocumentNode, type GraphQLError } from 'graphql';
import { createGraphQLError } from '../../../schema/graphql-error.ts';
import { createOperationMeasure, type OperationSize } from './operation-size.ts';

/** How large an operation may be; each bound is still allowed. */
export interface DocumentLimits {
  readonly maxDepth: number;
  readonly maxAliases: number;
  readonly maxRootFields: number;
  readonly maxDirectives: number;
  /**
   * Of a document, and of the selections of an operation with its fragments written out: some tokens of
   * fragments that spread each other twice would else be more than anyone can walk.
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

/** What is too large in any of the document's operations; empty where nothing is. */
export function checkLimits(document: DocumentNode, limits: DocumentLimits): GraphQLError[] {
  const errors: GraphQLError[] = [];
  const measure = createOperationMeasure(document);
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const size = measure(definition);
    for (const bound of bounds) {
      if (size[bound.size] <= limits[bound.limit]) continue;
      const message = `The operation has ${size[bound.size]} ${bound.what}; ${bound.setting} allows ${limits[bound.limit]}.`;
      errors.push(createGraphQLError(message, { nodes: definition }));
    }
  }
  return errors;
}
