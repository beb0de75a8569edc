import { hash } from 'node:crypto';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import type { GatewayOptions } from '../../options.ts';
import { createGraphQLError } from '../../../schema/graphql-error.ts';
import { badRequest, forbidden } from '../../errors/http-error.ts';
import type { OperationContext } from '../operation-context.ts';
import { canonicalId, isSha256, loadTrustedDocuments } from './trusted-documents.ts';

/** Settings of persisted documents. */
type PersistedDocumentOptions = Pick<
  GatewayOptions,
  'persistedDocuments' | 'persistedOnly' | 'identity'
>;

/** The sources of documents that requests identify by ID. */
export type PersistedDocuments = Awaited<ReturnType<typeof createPersistedDocuments>>;

/**
 * Loads the manifest, if there is one. Its documents are not checked yet. @throws {ManifestError} if it cannot be read
 */
export async function createPersistedDocuments({
  persistedDocuments: path,
  persistedOnly,
  identity,
}: PersistedDocumentOptions) {
  // With a service account, all clients are one caller.
  const sharePerCaller = identity.mode === 'service' ? 1 : 1 / 8;
  return {
    /** Null without a manifest. */
    trusted: path === null ? null : await loadTrustedDocuments(path),
    /** Null if only trusted documents are executed. */
    registered: persistedOnly ? null : createRegisteredDocuments({ sharePerCaller }),
    /**
     * Whether the gateway verifies each caller itself. If only the DMS does, a client could make up credentials, and as
     * many callers displace the documents of all others.
     */
    areCallersVerified: identity.mode !== 'passthrough',
  };
}

/** Limits of the documents that clients register. */
export interface RegisteredDocumentLimits {
  /** Maximum number of documents. Default: 4000. */
  readonly maxDocuments?: number;
  /** Maximum size of all texts. Default: 16 MiB. */
  readonly maxBytes?: number;
  /** Fraction of each limit that one caller can use, above 0 and up to 1. */
  readonly sharePerCaller: number;
}

interface Owner {
  readonly key: string;
  /** In order of registration. */
  readonly hashes: Set<string>;
  bytes: number;
}

interface Entry {
  readonly text: string;
  readonly bytes: number;
  readonly owner: Owner;
}

/**
 * Stores query documents that clients register under their hashes, in the memory of this process, and drops the least recently used ones first. A caller that has used
 * up its share replaces its own documents, so that one caller cannot displace those of the others.
 */
export function createRegisteredDocuments({
  maxDocuments = 4000,
  maxBytes = 16 * 2 ** 20,
  sharePerCaller,
}: RegisteredDocumentLimits) {
  const owners = new Map<string, Owner>();
  const documents = new LRUCache<string, Entry>({
    max: maxDocuments,
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes,
    dispose({ owner, bytes }, sha256) {
      owner.hashes.delete(sha256);
      owner.bytes -= bytes;
      if (owner.hashes.size === 0) owners.delete(owner.key);
    },
  });
  const maxOwned = Math.max(1, Math.floor(maxDocuments * sharePerCaller));
  const maxOwnedBytes = maxBytes * sharePerCaller;

  return {
    /** Returns the text of a SHA-256 hash (lower-case hexadecimal digits). Null if there is none. */
    get: (sha256: string): string | null => documents.get(sha256)?.text ?? null,
    /**
     * Stores a text if there is space.
     *
     * @param sha256 hash of `text`, which the caller of this function has verified
     * @param callerKey key of the `Caller` that registers it
     */
    set(sha256: string, text: string, callerKey: string): void {
      const bytes = text.length * 2 + 500; // approximately: two bytes per character, the hash and the entries
      if (documents.get(sha256) !== undefined || bytes > maxOwnedBytes) return;
      const key = hash('sha256', callerKey); // it can contain a credential and be as long as a header
      const owner = owners.get(key) ?? { key, hashes: new Set<string>(), bytes: 0 };
      for (const oldest of owner.hashes) {
        if (owner.hashes.size < maxOwned && owner.bytes + bytes <= maxOwnedBytes) break;
        documents.delete(oldest);
      }
      documents.set(sha256, { text, bytes, owner });
      owner.hashes.add(sha256);
      owner.bytes += bytes;
      owners.set(key, owner);
    },
  };
}

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
      if (id !== null)
        throw params.documentId == null && registered ? queryNotFound() : documentNotFound();
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

function documentNotFound(): Error {
  return createGraphQLError('The persisted document does not exist.', {
    extensions: { code: 'PERSISTED_DOCUMENT_NOT_FOUND' },
  });
}
