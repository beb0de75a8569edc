import {
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  parse,
  Source,
  validate,
  type DocumentNode,
  type GraphQLSchema,
  type ValidationRule,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import { createGraphQLError } from '../../../schema/graphql-error.ts';
import type { HttpExchange } from '../../http/http-exchange.ts';
import { checkLimits, type DocumentLimits } from '../limits/document-limits.ts';
import type { PersistedDocuments } from '../persisted/persisted-documents.ts';

export interface QueryDocumentOptions extends DocumentLimits {
  /** Whether the schema can be asked for. */
  readonly introspection: boolean;
}

/** A query document that could be parsed, and what limits and validation say of it. */
interface ParsedDocument {
  readonly document: DocumentNode;
  /** The rules and the schema that `errors` were found by; plugins may add rules and directives. */
  schema: GraphQLSchema | null;
  rules: readonly ValidationRule[];
  errors: readonly GraphQLError[];
}

/** What is known of one text. */
type CachedDocument = ParsedDocument | { readonly document: null; readonly error: GraphQLError };

const maxErrors = 20;
/** Far more than any formatter puts around a token, and few enough to be read through in milliseconds. */
const maxCharactersPerToken = 100;
const keptBytes = 48 * 2 ** 20;
const bytesPerToken = 400; // of a parsed document, about

/**
 * Parses, limits and validates each query document once; the same text again costs one look-up. What is kept is
 * bounded by size, because clients choose the texts; trusted documents stay. Limits come before validation, which is
 * not linear. A valid text is registered if its client wants that.
 *
 * It is the last of the plugins that take part in validation, so that the rules of all others are applied.
 */
export function useQueryDocuments(
  options: QueryDocumentOptions,
  { trusted, registered }: PersistedDocuments,
): Plugin<HttpExchange, HttpExchange> {
  const trustedCache = new Map<string, CachedDocument>();
  const cache = new LRUCache<string, CachedDocument>({
    max: 2000,
    maxSize: keptBytes,
    sizeCalculation: ({ document }, text) =>
      1000 + text.length * 2 + (document?.tokenCount ?? 0) * bytesPerToken,
  });
  const parsed = new WeakMap<DocumentNode, ParsedDocument>();

  const parseDocument = (text: string): CachedDocument => {
    try {
      const document = parseText(text, options.maxTokens);
      const entry = { document, schema: null, rules: [], errors: [] };
      parsed.set(document, entry);
      return entry;
    } catch (error) {
      return { document: null, error: parseError(error, options.maxTokens) };
    }
  };
  const maxCharacters = options.maxTokens * maxCharactersPerToken;
  const find = (text: string): CachedDocument => {
    if (text.length > maxCharacters) return { document: null, error: tooLong(text, options) };
    const kept = trusted?.has(text) ? trustedCache : cache;
    let entry = kept.get(text);
    if (entry === undefined) {
      entry = parseDocument(text);
      kept.set(text, entry);
    }
    return entry;
  };

  return {
    onParse({ params, setParseFn, setParsedDocument }) {
      const entry = find(String(params.source));
      const { document } = entry;
      if (document !== null) return setParsedDocument(document);
      const { error } = entry;
      // Thrown from here, no other plugin would see it.
      setParseFn(() => {
        throw error;
      });
    },
    onValidate({ params, addValidationRule, setResult, context }) {
      const entry = parsed.get(params.documentAST);
      if (entry === undefined) return; // parsed by another plugin, which answers for it
      if (!options.introspection) addValidationRule(NoSchemaIntrospectionCustomRule);
      const { schema, rules = [] } = params;
      if (entry.schema !== schema || !isSameList(entry.rules, rules)) {
        entry.errors = validated(schema, entry.document, rules, options);
        entry.schema = schema;
        entry.rules = rules;
      }
      setResult([...entry.errors]);
      const { registration, caller }: HttpExchange = context;
      if (registration == null || entry.errors.length > 0) return;
      void registered?.set(registration.sha256, registration.text, caller?.key ?? '');
    },
  };
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at]);
}

function validated(
  schema: GraphQLSchema,
  document: DocumentNode,
  rules: readonly ValidationRule[],
  options: QueryDocumentOptions,
): readonly GraphQLError[] {
  const tooLarge = checkLimits(document, options).slice(0, maxErrors);
  const hideSuggestions = !options.introspection;
  const errors =
    tooLarge.length > 0
      ? tooLarge
      : validate(schema, document, rules, { maxErrors, hideSuggestions });
  for (const { extensions } of errors) Object.assign(extensions, invalid);
  return errors;
}

const http = { status: 400, spec: true };
const unparsable = { code: 'GRAPHQL_PARSE_FAILED', http };
const invalid = { code: 'GRAPHQL_VALIDATION_FAILED', http };

/**
 * Parses, and leaves the text out of what is kept: each GraphQLError made from a node would count lines from the start
 * of the text, which takes seconds when the lines and the errors are many. The tokens know their lines (`locationsOf`).
 */
export function parseText(text: string, maxTokens: number): DocumentNode {
  const source = new Source(text);
  const document = parse(source, { maxLexicalTokens: maxTokens, maxComments: maxTokens });
  source.body = '';
  return document;
}

function tooLong({ length }: string, { maxTokens }: QueryDocumentOptions): GraphQLError {
  const allowed = maxTokens * maxCharactersPerToken;
  const message = `The query document has ${length} characters; MAX_TOKENS=${maxTokens} allows ${allowed}.`;
  return createGraphQLError(message, { extensions: { ...unparsable } });
}

function parseError(error: unknown, maxTokens: number): GraphQLError {
  if (!(error instanceof GraphQLError)) throw error;
  if (/more tha[nt] \d+ (tokens|comments)/.test(error.message)) {
    error.message = `The query document has too many tokens; MAX_TOKENS allows ${maxTokens}.`;
  }
  Object.assign(error.extensions, unparsable);
  return error;
}
