import {
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { checkLimits, type Limits } from './limits/check.ts';

export interface DocumentOptions extends Limits {
  /** Whether the schema can be asked for. */
  readonly introspection: boolean;
}

/** A text that is GraphQL, and why it cannot be run: it is too large, or not valid. */
interface CheckedDocument {
  readonly document: DocumentNode;
  readonly errors: readonly GraphQLError[];
}

/** @throws {GraphQLError} `GRAPHQL_PARSE_FAILED` */
export type CheckDocument = (text: string) => CheckedDocument;

/** What is known of one text. */
type Known = CheckedDocument | { readonly document: null; readonly error: GraphQLError };

const mostErrors = 20;
const keptBytes = 48 * 2 ** 20;
const bytesPerToken = 400; // of a parsed document, about

/**
 * Parses, limits and validates each document once; the same text again costs one look-up. What is kept is
 * bounded by size, because clients choose the texts. Limits come before validation, which is not linear.
 */
export function createDocuments(schema: GraphQLSchema, options: DocumentOptions): CheckDocument {
  const rules = options.introspection
    ? specifiedRules
    : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const known = new LRUCache<string, Known>({
    max: 2000,
    maxSize: keptBytes,
    sizeCalculation: ({ document }, text) =>
      1000 + text.length * 2 + (document?.tokenCount ?? 0) * bytesPerToken,
  });

  const learn = (text: string): Known => {
    let document: DocumentNode;
    try {
      const { maxTokens } = options;
      document = parse(text, { maxLexicalTokens: maxTokens, maxComments: maxTokens });
    } catch (error) {
      return { document: null, error: parseError(error, options.maxTokens) };
    }
    const tooLarge = checkLimits(document, options);
    const errors =
      tooLarge.length > 0 ? tooLarge : validate(schema, document, rules, { maxErrors: mostErrors });
    const told = options.introspection ? errors : errors.map(withoutSuggestion);
    return { document, errors: told.map(asInvalid) };
  };

  return (text) => {
    let entry = known.get(text);
    if (entry === undefined) {
      entry = learn(text);
      known.set(text, entry);
    }
    if (entry.document === null) throw entry.error;
    return entry;
  };
}

function parseError(error: unknown, maxTokens: number): GraphQLError {
  if (!(error instanceof GraphQLError)) throw error;
  const extensions = { code: 'GRAPHQL_PARSE_FAILED', http: { status: 400, spec: true } };
  const tooLong = /more tha[nt] \d+ (tokens|comments)/.test(error.message);
  const message = tooLong
    ? `The document has too many tokens; MAX_TOKENS allows ${maxTokens}.`
    : error.message;
  return new GraphQLError(message, {
    ...(error.source && { source: error.source }),
    ...(error.positions && { positions: error.positions }),
    extensions,
  });
}

function asInvalid({ message, nodes, extensions }: GraphQLError): GraphQLError {
  const http = { status: 400, spec: true };
  return new GraphQLError(message, {
    ...(nodes && { nodes }),
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED', http, ...extensions },
  });
}

/** "Did you mean …" would tell the names that INTROSPECTION=off keeps back. */
export function withoutSuggestion(error: GraphQLError): GraphQLError {
  const message = error.message.replace(/ Did you mean [^?]*\?/, '');
  return new GraphQLError(message, {
    ...(error.nodes && { nodes: error.nodes }),
    extensions: error.extensions,
  });
}
