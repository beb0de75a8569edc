import {
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  parse,
  Source,
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

const maxErrors = 20;
/** Far more than any formatter puts around a token, and few enough to be read through in milliseconds. */
const maxCharactersPerToken = 100;
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
      document = parseText(text, options.maxTokens);
    } catch (error) {
      return { document: null, error: parseError(error, options.maxTokens) };
    }
    const tooLarge = checkLimits(document, options);
    const errors =
      tooLarge.length > 0
        ? tooLarge.slice(0, maxErrors)
        : validate(schema, document, rules, { maxErrors, hideSuggestions: !options.introspection });
    for (const { extensions } of errors) Object.assign(extensions, invalid);
    return { document, errors };
  };

  const maxCharacters = options.maxTokens * maxCharactersPerToken;
  return (text) => {
    if (text.length > maxCharacters) {
      const message = `The document has ${text.length} characters; MAX_TOKENS=${options.maxTokens} allows ${maxCharacters}.`;
      throw new GraphQLError(message, { extensions: { ...unparsable } });
    }
    let entry = known.get(text);
    if (entry === undefined) {
      entry = learn(text);
      known.set(text, entry);
    }
    if (entry.document === null) throw entry.error;
    return entry;
  };
}

const http = { status: 400, spec: true };
const unparsable = { code: 'GRAPHQL_PARSE_FAILED', http };
const invalid = { code: 'GRAPHQL_VALIDATION_FAILED', http };

/**
 * Parses, and leaves the text out of what is kept: each GraphQLError made from a node would count lines from the start
 * of the text, which takes seconds when the lines and the errors are many. The tokens know their lines (`locationsOf`).
 */
function parseText(text: string, maxTokens: number): DocumentNode {
  const source = new Source(text);
  const document = parse(source, { maxLexicalTokens: maxTokens, maxComments: maxTokens });
  source.body = '';
  return document;
}

function parseError(error: unknown, maxTokens: number): GraphQLError {
  if (!(error instanceof GraphQLError)) throw error;
  if (/more tha[nt] \d+ (tokens|comments)/.test(error.message)) {
    error.message = `The document has too many tokens; MAX_TOKENS allows ${maxTokens}.`;
  }
  Object.assign(error.extensions, unparsable);
  return error;
}
