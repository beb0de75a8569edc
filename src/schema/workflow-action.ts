import type {
  CreateAction,
  PhaseAction,
  ResponseAction,
  WorkflowAction,
} from '../model/workflow.ts';
import { builder } from './builder.ts';

const responses: Record<ResponseAction, { description: string }> = {
  APPROVE: { description: 'Approve.' },
  APPROVE_WITH_EDITS: { description: 'Approve, with edits.' },
  DECLINE: { description: 'Decline.' },
  COMPLETE_EXECUTION: { description: 'Execution (follow-up) is done.' },
  SIGN: { description: 'Sign.' },
};

const atCreation: Record<CreateAction, { description: string }> = {
  SEND_TO_APPROVAL: { description: 'Send to the approval phase.' },
  RESEND: { description: 'Send to the workflow phase once more.' },
  SEND_TO_SIGN: { description: 'Send to the signing phase.' },
  SEND_TO_EXECUTION: { description: 'Send to the execution phase.' },
  SEND_TO_ARCHIVE: { description: 'Send to the archive.' },
  SEND_TO_REPOSITORY: { description: 'Send to the repository.' },
};

const phases: Record<PhaseAction, { description: string }> = {
  ...atCreation,
  SUSPEND: { description: 'Suspend the workflow.' },
  RESUME: { description: 'Resume the workflow.' },
  CANCEL: { description: 'Cancel the workflow.' },
  BLOCK: { description: 'Block the document.' },
  DELETE: { description: 'Delete the document: it is blocked, then deleted.' },
};

export const ResponseActionEnum = builder.enumType('ResponseAction', {
  description: 'What a participant of the current phase can answer.',
  values: responses,
});

export const CreateActionEnum = builder.enumType('CreateAction', {
  description: 'What can be asked for while a document is created.',
  values: atCreation,
});

export const PhaseActionEnum = builder.enumType('PhaseAction', {
  description: 'What moves a document between phases or changes its status.',
  values: phases,
});

export const WorkflowActionEnum = builder.enumType('WorkflowAction', {
  description: 'Every action of the DMS’s workflow.',
  values: { ...responses, ...phases } satisfies Record<WorkflowAction, object>,
});
