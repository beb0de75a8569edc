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
