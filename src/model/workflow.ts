import type { Meta } from './common.ts';

/** An action of a participant in the current phase. */
export type ResponseAction =
  | 'APPROVE'
  | 'APPROVE_WITH_EDITS'
  | 'DECLINE'
  | 'COMPLETE_EXECUTION'
  | 'SIGN';

/** An action that can be requested when a document is created. */
export type CreateAction =
  | 'SEND_TO_APPROVAL'
  | 'RESEND'
  | 'SEND_TO_SIGN'
  | 'SEND_TO_EXECUTION'
  | 'SEND_TO_ARCHIVE'
  | 'SEND_TO_REPOSITORY';

/** An action that moves a document to another phase or changes its status. */
export type PhaseAction = CreateAction | 'SUSPEND' | 'RESUME' | 'CANCEL' | 'BLOCK' | 'DELETE';

/** Every action that the DMS defines. */
export type WorkflowAction = ResponseAction | PhaseAction;

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
