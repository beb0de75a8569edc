/** What a participant of the current phase can answer. */
export type ResponseAction =
  | 'APPROVE'
  | 'APPROVE_WITH_EDITS'
  | 'DECLINE'
  | 'COMPLETE_EXECUTION'
  | 'SIGN';

/** What can be asked for while a document is created. */
export type CreateAction =
  | 'SEND_TO_APPROVAL'
  | 'RESEND'
  | 'SEND_TO_SIGN'
  | 'SEND_TO_EXECUTION'
  | 'SEND_TO_ARCHIVE'
  | 'SEND_TO_REPOSITORY';

/** What moves a document between phases or changes its status. */
export type PhaseAction = CreateAction | 'SUSPEND' | 'RESUME' | 'CANCEL' | 'BLOCK' | 'DELETE';

/** Every action that the DMS knows. */
export type WorkflowAction = ResponseAction | PhaseAction;
