import { createRegisteredDocuments, type RegisteredDocuments } from './registered-documents.ts';
import type { TrustedDocuments } from './trusted-documents.ts';

export interface PersistedDocumentOptions {
  /** Path of a manifest; null: there are no trusted documents. */
  readonly persistedDocuments: string | null;
  /** Whether only trusted documents are executed. */
  readonly persistedOnly: boolean;
  readonly identity: { readonly mode: 'passthrough' | 'service' | 'jwt' };
}

/** Where the texts are found that requests name instead of sending them. */
export interface PersistedDocuments {
  /** Null without a manifest. */
  readonly trusted: TrustedDocuments | null;
  /** Null if only trusted documents are executed. */
  readonly registered: RegisteredDocuments | null;
}

/** @throws {ManifestError} if the manifest cannot be read; its documents are not checked yet */
export async function createPersistedDocuments({
  persistedDocuments: path,
  persistedOnly,
  identity,
}: PersistedDocumentOptions): Promise<PersistedDocuments> {
  // With a service account, all clients are one caller.
  const sharePerCaller = identity.mode === 'service' ? 1 : 1 / 8;
  return {
    trusted: path === null ? null : await load(path),
    registered: persistedOnly ? null : createRegisteredDocuments({ sharePerCaller }),
  };
}

async function load(path: string): Promise<TrustedDocuments> {
  const { loadTrustedDocuments } = await import('./trusted-documents.ts');
  return loadTrustedDocuments(path);
}
