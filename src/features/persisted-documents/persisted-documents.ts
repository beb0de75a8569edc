import { hash } from 'node:crypto';
import type { ExecutionResult } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import type { Settings } from '../../config/read-config.ts';
import { userKeyOf } from '../../rest/index.ts';
import { createGraphQLError } from '../../schema/graphql-error.ts';
import { badRequest, forbidden } from '../../server/errors/http-error.ts';
import type { Operation, OperationContext } from '../../server/graphql/operation.ts';
import { isAsyncIterable } from '../../server/graphql/yoga-packages.ts';
import { createCachingHeaders } from './caching-headers.ts';
import type { RegisteredDocuments } from './registered-documents.ts';
import { canonicalId, isSha256, type TrustedDocuments } from './trusted-documents.ts';

export interface PersistedDocuments {
  readonly trusted: TrustedDocuments | null;
  readonly registered: RegisteredDocuments | null;
}

type UncheckedParams = GraphQLParams & { documentId?: unknown };

/**
 * A text with its hash is registered once it is valid, or once the DMS accepts the credentials if only the DMS
 * verifies them: a client could make up credentials, and as many callers displace the documents of all others. If the
 * document is unknown, later plugins can provide it.
 */
export function usePersistedDocuments(
  { trusted, registered }: PersistedDocuments,
  settings: Pick<Settings, 'identity' | 'runAsHeader' | 'forwardHeaders'>,
  cacheTtlMs: number,
): Plugin<OperationContext, OperationContext> {
  const addCachingHeaders = createCachingHeaders(settings, cacheTtlMs);
  const isPassthrough = settings.identity.mode === 'passthrough';
  const registrations = new WeakMap<Operation, { sha256: string; text: string }>();
  const register = (operation: Operation): void => {
    const registration = registrations.get(operation);
    if (registration === undefined) return;
    registrations.delete(operation);
    const { caller } = operation.http;
    registered?.set(
      registration.sha256,
      registration.text,
      caller === null ? '' : userKeyOf(caller),
    );
  };
  const onResult = ({ args, result }: Executed) => {
    const { operation }: OperationContext = args.contextValue as never;
    if (!registrations.has(operation)) return undefined; // nearly always
    if (isAsyncIterable(result)) return { onNext: (part: Executed) => void onResult(part) };
    if (isAccepted(operation, result as Part)) register(operation);
    return undefined;
  };
  return {
    onParams({ params: given, request, setParams, context: { operation } }) {
      const params: UncheckedParams = given;
      if (request.method === 'GET') readDocumentId(request, params);
      const { query } = params;
      if (query != null && registered === null) {
        throw forbidden(
          'This gateway executes only persisted documents. Send `documentId` without `query`.',
        );
      }
      const id = idOf(params);
      if (id === null) {
        if (registered === null) operation.missingQuery = badRequest('Send `documentId`.');
        return;
      }
      const sha256 = canonicalId(id);
      if (query != null) {
        if (params.documentId != null) throw badRequest('Send `query` or `documentId`, not both.');
        if (typeof query !== 'string') return; // Yoga rejects it
        checkHash(query, sha256);
        if (trusted?.find(sha256) === undefined)
          registrations.set(operation, { sha256, text: query });
        return;
      }
      const text = trusted?.find(id) ?? (isSha256(sha256) ? registered?.get(sha256) : null);
      if (text == null) {
        const canRegister = params.documentId == null && registered !== null;
        operation.missingQuery = canRegister ? queryNotFound() : documentNotFound();
        return;
      }
      const { documentId: _, ...rest } = params;
      setParams({ ...rest, query: text });
    },
    onValidate({ context }) {
      const { operation }: OperationContext = context;
      if (!registrations.has(operation)) return undefined;
      return ({ valid }) => {
        if (!valid) registrations.delete(operation);
        else if (!isPassthrough) register(operation);
      };
    },
    ...(trusted !== null && {
      onParse({ params: { source }, context }) {
        context.operation.isTrusted = trusted.has(String(source));
      },
      onResponse(payload) {
        const { http, isTrusted } = payload.serverContext.operation;
        return isTrusted && http.req.method === 'GET' ? addCachingHeaders(payload) : undefined;
      },
    }),
    ...(isPassthrough && {
      onExecute: () => ({ onExecuteDone: onResult }),
      onSubscribe: () => ({ onSubscribeResult: onResult }),
    }),
  };
}

interface Executed {
  readonly args: { readonly contextValue?: unknown };
  readonly result: unknown;
}

interface Part extends ExecutionResult {
  readonly incremental?: readonly ExecutionResult[];
}

/** Whether a result, or a part of it, shows that the DMS has accepted the credentials. */
function isAccepted({ budget, operationType }: Operation, { incremental = [], ...part }: Part) {
  const hasErrors = [part, ...incremental].some(({ errors }) => errors !== undefined);
  if (hasErrors) return false;
  return operationType === 'subscription' || budget.calls + budget.sharedReads > 0;
}

function readDocumentId({ url }: Request, params: UncheckedParams): void {
  const documentId = new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('documentId');
  if (documentId) params.documentId = documentId;
}

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
 */
function checkHash(text: string, sha256: string): void {
  if (text.isWellFormed() && hash('sha256', text) === sha256) return;
  throw badRequest('`extensions.persistedQuery.sha256Hash` is not the SHA-256 hash of `query`.');
}

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
