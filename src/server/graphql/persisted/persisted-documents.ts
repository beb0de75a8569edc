import { createRegisteredDocuments, type RegisteredDocuments } from './registered-documents.ts';
import type { TrustedDocuments } from './trusted-documents.ts';

/** Settings of persisted documents. */
export interface PersistedDocumentOptions {
  /** Path of a manifest. Null: there are no trusted documents. */
  readonly persistedDocuments: string | null;
  /** Whether only trusted documents are executed. */
  readonly persistedOnly: boolean;
  readonly identity: { readonly mode: 'passthrough' | 'service' | 'jwt' };
}

/** The sources of documents that requests identify by ID. */
export interface PersistedDocuments {
  /** Null without a manifest. */
  readonly trusted: TrustedDocuments | null;
  /** Null if only trusted documents are executed. */
  readonly registered: RegisteredDocuments | null;
  /**
   * Whether the gateway verifies each caller itself. If only the DMS does, a client could make up credentials, and as
   * many callers displace the documents of all others.
   */
  readonly areCallersVerified: boolean;
}

/**
 * Loads the manifest, if there is one. Its documents are not checked yet. @throws {ManifestError} if it cannot be read
 */
export async function createPersistedDocuments({
  persistedDocuments: path,
  persistedOnly,
  identity,
}: PersistedDocumentOptions): Promise<PersistedDocuments> {
  // With a service account, all clients are one caller.
  const sharePerCaller = identity.mode === 'service' ? 1 : 1 / 8;
  return {
    trusted:
      path === null
        ? null
        : await (await import('./trusted-documents.ts')).loadTrustedDocuments(path),
    registered: persistedOnly ? null : createRegisteredDocuments({ sharePerCaller }),
    areCallersVerified: identity.mode !== 'passthrough',
  };
}
