import type { DocumentWrite } from './document-write.ts';
import type { ReferenceResource } from '../../model/resource.ts';

/** The data that a write may have changed. */
export interface WrittenData {
  /** Reference data, of every identity. */
  readonly resources: readonly ReferenceResource[];
  /** The written document, or null. It is polled at once if the same user has subscribed to it. */
  readonly document: DocumentWrite | null;
}
