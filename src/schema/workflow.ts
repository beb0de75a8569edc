import type { WorkflowAction } from '../model/workflow.ts';
import { builder } from './builder.ts';

/** Every action with what it does; the enums of the inputs are made from it. */
export const actionDescriptions: Record<WorkflowAction, { description: string }> = {
  APPROVE: { description: 'Approve.' },
  APPROVE_WITH_EDITS: { description: 'Approve, with edits.' },
  DECLINE: { description: 'Decline.' },
  COMPLETE_EXECUTION: { description: 'Execution (follow-up) is done.' },
  SIGN: { description: 'Sign.' },
  SEND_TO_APPROVAL: { description: 'Send to the approval phase.' },
  SUSPEND: { description: 'Suspend the workflow.' },
  RESUME: { description: 'Resume the workflow.' },
  CANCEL: { description: 'Cancel the workflow.' },
  RESEND: { description: 'Send to the workflow phase once more.' },
  SEND_TO_SIGN: { description: 'Send to the signing phase.' },
  SEND_TO_EXECUTION: { description: 'Send to the execution phase.' },
  SEND_TO_ARCHIVE: { description: 'Send to the archive.' },
  SEND_TO_REPOSITORY: { description: 'Send to the repository.' },
  BLOCK: { description: 'Block the document.' },
  DELETE: { description: 'Delete the document: it is blocked, then deleted.' },
};

export const WorkflowActionEnum = builder.enumType('WorkflowAction', {
  description: 'Every action of the DMS’s workflow.',
  values: actionDescriptions,
});
