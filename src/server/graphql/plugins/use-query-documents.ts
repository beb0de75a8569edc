import {
  NoSchemaIntrospectionCustomRule,
  validate,
  type GraphQLError,
  type GraphQLSchema,
  type ValidationRule,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import type { Settings } from '../../../config/read-config.ts';
import { createGraphQLError, isGraphQLError } from '../../../schema/graphql-error.ts';
import {
  checkLimits,
  QueryDocument,
  type DocumentLimits,
} from '../../../schema/plan/query-document.ts';
import type { OperationContext } from '../operation.ts';

export type QueryDocumentOptions = DocumentLimits & Pick<Settings, 'introspection'>;

/** What is cached for a query text: its document, or why it cannot be parsed. */
type CachedDocument = QueryDocument | GraphQLError;

const maxErrors = 20;
const maxCharactersPerToken = 100;
const keptBytes = 48 * 2 ** 20;
const bytesPerToken = 400; // approximate size of a parsed document
const bytesPerSelection = 800; // approximate size of the plan of an operation

/** A document of hundreds of operations is cached too, because its plans are made only as they are executed. */
const maxPlannedBytes = keptBytes / 4;

/**
 * The cache is limited by size, because clients choose the texts; those that the operator has approved stay in it.
 * Limits are checked before validation, whose cost is not linear. It is the last plugin that takes part in validation,
 * so that the rules of all others apply.
 */
export function useQueryDocuments(
  options: QueryDocumentOptions,
): Plugin<OperationContext, OperationContext> {
  const trustedCache = new Map<string, CachedDocument>();
  const cache = new LRUCache<string, CachedDocument>({
    max: 2000,
    maxSize: keptBytes,
    sizeCalculation: (entry, text) =>
      1000 + text.length * 2 + (entry instanceof QueryDocument ? sizeWithPlans(entry, options) : 0),
  });
  const parseDocument = (text: string): CachedDocument => {
    try {
      return QueryDocument.parse(text, options.maxTokens);
    } catch (error) {
      return parseError(error, options.maxTokens);
    }
  };
  const maxCharacters = options.maxTokens * maxCharactersPerToken;
  const find = (text: string, isTrusted: boolean): CachedDocument => {
    if (text.length > maxCharacters) return tooLong(text, options);
    const entries = isTrusted ? trustedCache : cache;
    let entry = entries.get(text);
    if (entry === undefined) {
      entry = parseDocument(text);
      entries.set(text, entry);
    }
    return entry;
  };

  return {
    onParams({ params: { query }, context: { operation } }) {
      if (query == null && operation.missingQuery !== null) throw operation.missingQuery;
    },
    onParse({ params, context, setParseFn, setParsedDocument }) {
      const text = String(params.source);
      const { operation }: OperationContext = context;
      const found = find(text, operation.isTrusted);
      if (found instanceof QueryDocument) return setParsedDocument(found.node);
      // An error thrown directly from this hook would bypass the other plugins.
      setParseFn(() => {
        throw found;
      });
    },
    onValidate({ params, addValidationRule, setResult }) {
      const document = QueryDocument.of(params.documentAST);
      if (!document.isOwn) return;
      addValidationRule(NoPrototypeNameRule);
      if (!options.introspection) addValidationRule(NoSchemaIntrospectionCustomRule);
      const { schema, rules = [] } = params;
      let { validation } = document;
      if (
        validation === null ||
        validation.schema !== schema ||
        !isSameList(validation.rules, rules)
      ) {
        validation = { schema, rules, errors: validated(schema, document, rules, options) };
        document.validation = validation;
      }
      setResult([...validation.errors]);
    },
  };
}

function sizeWithPlans(
  { node, sizes }: QueryDocument,
  { maxTokens }: QueryDocumentOptions,
): number {
  const planned = sizes
    .values()
    .reduce(
      (sum, { selections }) => sum + (selections > maxTokens ? 0 : selections * bytesPerSelection),
      0,
    );
  return (node.tokenCount ?? 0) * bytesPerToken + Math.min(planned, maxPlannedBytes);
}

const NoPrototypeNameRule: ValidationRule = (context) => ({
  Name(node) {
    if (node.value !== '__proto__') return;
    const message = 'The name "__proto__" is not allowed.';
    context.reportError(createGraphQLError(message, { nodes: node }));
  },
});

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at]);
}

function validated(
  schema: GraphQLSchema,
  document: QueryDocument,
  rules: readonly ValidationRule[],
  options: QueryDocumentOptions,
): readonly GraphQLError[] {
  const hideSuggestions = !options.introspection;
  const excess = checkLimits(document.sizes, options).slice(0, maxErrors);
  const errors =
    excess.length > 0
      ? excess
      : validate(schema, document.node, rules, {
          maxErrors,
          hideSuggestions,
        });
  // Rules of plugins can give their errors a code.
  for (const { extensions } of errors) Object.assign(extensions, { ...invalid, ...extensions });
  return errors;
}

const unparsable = { code: 'GRAPHQL_PARSE_FAILED' };
const invalid = { code: 'GRAPHQL_VALIDATION_FAILED' };

function tooLong({ length }: string, { maxTokens }: QueryDocumentOptions): GraphQLError {
  const allowed = maxTokens * maxCharactersPerToken;
  const message = `The query document has ${length} characters; MAX_TOKENS=${maxTokens} allows ${allowed}.`;
  return createGraphQLError(message, { extensions: { ...unparsable } });
}

function parseError(error: unknown, maxTokens: number): GraphQLError {
  if (!isGraphQLError(error)) throw error;
  if (/more tha[nt] \d+ (tokens|comments)/.test(error.message)) {
    error.message = `The query document has too many tokens; MAX_TOKENS allows ${maxTokens}.`;
  }
  Object.assign(error.extensions, unparsable);
  return error;
}
