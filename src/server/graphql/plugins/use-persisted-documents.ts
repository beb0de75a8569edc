import { hash } from 'node:crypto';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { createGraphQLError } from '../../../schema/graphql-error.ts';
import { badRequest, forbidden } from '../../errors/http-error.ts';
import type { OperationContext } from '../operation-context.ts';
import { canonicalId, isSha256 } from '../persisted/document-id.ts';
import type { PersistedDocuments } from '../persisted/persisted-documents.ts';

/** The parameters of a request before Yoga validates them. */
type UncheckedParams = GraphQLParams & { readonly documentId?: unknown };

/**
 * Finds the text of a request with the ID of a persisted document, trusted or registered by a client. If a request
 * contains both a text and its hash, the text is registered after it is validated (`useQueryDocuments`).
 *
 * If the document is unknown, later plugins can provide it; otherwise `useUnknownDocuments` rejects the request.
 *
 * @see Apollo's automatic persisted queries (`extensions.persistedQuery`)
 * @see GraphQL over HTTP, appendix "Persisted Documents" (`documentId`)
 * @throws {HttpError} 400, 403
 */
export function usePersistedDocuments({
  trusted,
  registered,
}: PersistedDocuments): Plugin<OperationContext, OperationContext> {
  return {
    onParams({ params: given, setParams, context }) {
      const params: UncheckedParams = given;
      const { query } = params;
      if (query != null && registered === null) {
        throw forbidden(
          'This gateway executes only persisted documents. Send `documentId` without `query`.',
        );
      }
      const id = idOf(params);
      if (id === null) return;
      if (query != null) {
        if (params.documentId != null) throw badRequest('Send `query` or `documentId`, not both.');
        if (typeof query !== 'string') return; // Yoga rejects it
        const sha256 = canonicalId(id);
        checkHash(query, sha256);
        if (trusted?.find(sha256) === undefined) context.registration = { sha256, text: query };
        return;
      }
      const sha256 = canonicalId(id);
      const text = trusted?.find(id) ?? (isSha256(sha256) ? registered?.get(sha256) : null);
      if (text == null) return;
      const { documentId: _, ...rest } = params;
      setParams({ ...rest, query: text });
    },
  };
}

/**
 * Rejects a request whose document neither the gateway nor a plugin has found.
 *
 * @throws PERSISTED_DOCUMENT_NOT_FOUND; PERSISTED_QUERY_NOT_FOUND if the client can register the document; {HttpError}
 * 400
 */
export function useUnknownDocuments({
  registered,
}: PersistedDocuments): Plugin<OperationContext, OperationContext> {
  return {
    onParams({ params: given }) {
      const params: UncheckedParams = given;
      if (params.query != null) return;
      const id = idOf(params);
      if (id !== null) throw params.documentId == null && registered ? queryNotFound() : notFound();
      if (registered === null) throw badRequest('Send `documentId`.');
    },
  };
}

/** Returns the document ID of a request. Null if it has none. @throws {HttpError} 400 */
function idOf({ documentId, extensions }: UncheckedParams): string | null {
  const persistedQuery: unknown = extensions?.['persistedQuery'];
  if (persistedQuery == null) {
    if (documentId == null || typeof documentId === 'string') return documentId ?? null;
    throw badRequest('`documentId` must be a string.');
  }
  if (documentId != null) {
    throw badRequest('Send `documentId` or `extensions.persistedQuery`, not both.');
  }
  const { version, sha256Hash } = Object(persistedQuery) as Record<string, unknown>;
  if (version !== 1) throw badRequest('`extensions.persistedQuery.version` must be 1.');
  if (typeof sha256Hash === 'string') return sha256Hash;
  throw badRequest('`extensions.persistedQuery.sha256Hash` must be a string.');
}

/**
 * Verifies the hash of a text. Texts with unpaired surrogates are rejected: UTF-8 replaces them by U+FFFD, so that
 * different texts would have the same hash.
 *
 * @throws {HttpError} 400
 */
function checkHash(text: string, sha256: string): void {
  if (text.isWellFormed() && hash('sha256', text) === sha256) return;
  throw badRequest('`extensions.persistedQuery.sha256Hash` is not the SHA-256 hash of `query`.');
}

/** The error for an unknown hash. Message, code and status are those of Apollo, whose clients then send the text. */
function queryNotFound(): Error {
  return createGraphQLError('PersistedQueryNotFound', {
    extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' },
  });
}

function notFound(): Error {
  return createGraphQLError('The persisted document does not exist.', {
    extensions: { code: 'PERSISTED_DOCUMENT_NOT_FOUND' },
  });
}
