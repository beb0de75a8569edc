import { hash } from 'node:crypto';
import type { Caller } from './caller.ts';
import type { ReferenceResource } from './reference-cache.ts';

/** A write to a document that may have been executed, on this process or on another one. */
export interface DocumentWrite {
  /** `callerDigest` of the caller that sent it. */
  readonly caller: string;
  /** Full or short id of the document; null if the write created one. */
  readonly documentId: string | null;
}

/** The data that a write may have changed. */
export interface WrittenData {
  /** Reference data, of every identity. */
  readonly resources: readonly ReferenceResource[];
  /** The written document, or null. It is polled at once if the same user has subscribed to it. */
  readonly document: DocumentWrite | null;
}

/** Receives every document write that may have been executed. It must not throw. */
export type DocumentWriteListener = (write: DocumentWrite) => void;

/** A hash of the whole identity, for messages between processes: it holds no credential. */
export function callerDigest({ key }: Pick<Caller, 'key'>): string {
  return hash('sha256', key, 'base64url');
}
