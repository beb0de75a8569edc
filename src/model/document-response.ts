import type { Meta } from './common.ts';
import type { WorkflowAction } from './workflow.ts';

/** A participant's response in a workflow phase. As in `Document`, a property that was not requested is `undefined`. */
export interface DocumentResponse {
  readonly fullId: string;
  /** Full ID of the document. */
  readonly documentId?: string | null;
  readonly state?: number | null;
  readonly status?: number | null;
  readonly step?: number | null;
  readonly iteration?: number | null;
  readonly actionCode?: number | null;
  /** The action of the code, read together with it. Null if the code is unknown. */
  readonly action?: WorkflowAction | null;
  readonly resolutionId?: string | null;
  /** System ID of a person. */
  readonly resolvedTo?: string | null;
  readonly content?: string | null;
  readonly author?: string | null;
  readonly meta?: Meta | null;
}
