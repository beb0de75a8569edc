import { hash } from 'node:crypto';
import type { ReferenceResource } from '../../model/resource.ts';
import type { Caller } from './caller.ts';

/** The data that a write may have changed. */
export interface WriteNotification {
  /** Reference data, of every identity. */
  readonly resources: readonly ReferenceResource[];
  /** The written document, or null. It is polled at once if the same user has subscribed to it. */
  readonly document: DocumentWrite | null;
}

/** A write to a document that may have been executed, on this process or on another one. */
export interface DocumentWrite {
  /** `callerDigest` of the caller that sent it. */
  readonly caller: string;
  /** Full or short ID of the document. Null if the write created it. */
  readonly documentId: string | null;
}

/** Receives every document write that may have been executed. It must not throw. */
export type DocumentWriteListener = (write: DocumentWrite) => void;

/** A hash of the whole identity, for messages between processes. It contains no credential. */
export function callerDigest({ key }: Pick<Caller, 'key'>): string {
  return hash('sha256', key, 'base64url');
}
