import type { Meta } from './common.ts';
import type { WorkflowAction } from './workflow.ts';

/** A participant's response in a workflow phase. As in Document, what was not asked for is `undefined`. */
export interface DocumentResponse {
  readonly fullId: string;
  /** Full id of the document. */
  readonly documentId?: string | null;
  readonly state?: number | null;
  readonly status?: number | null;
  readonly step?: number | null;
  readonly iteration?: number | null;
  readonly actionCode?: number | null;
  /** The action behind the code; comes with it, null where the code is not known. */
  readonly action?: WorkflowAction | null;
  readonly resolutionId?: string | null;
  /** System id of a person. */
  readonly resolvedTo?: string | null;
  readonly content?: string | null;
  readonly author?: string | null;
  readonly meta?: Meta | null;
}
