import type {
  CreateAction,
  PhaseAction,
  ResponseAction,
  WorkflowAction,
} from '../model/document.ts';
import { builder } from './builder.ts';

const responses: Record<ResponseAction, { description: string }> = {
  APPROVE: { description: 'Approves the document.' },
  APPROVE_WITH_EDITS: { description: 'Approves the document with edits.' },
  DECLINE: { description: 'Declines the document.' },
  COMPLETE_EXECUTION: { description: 'Reports that the execution (follow-up) is done.' },
  SIGN: { description: 'Signs the document.' },
};

const atCreation: Record<CreateAction, { description: string }> = {
  SEND_TO_APPROVAL: { description: 'Sends the document to the approval phase.' },
  RESEND: { description: 'Sends the document to the workflow phase again.' },
  SEND_TO_SIGN: { description: 'Sends the document to the signing phase.' },
  SEND_TO_EXECUTION: { description: 'Sends the document to the execution phase.' },
  SEND_TO_ARCHIVE: { description: 'Sends the document to the archive.' },
  SEND_TO_REPOSITORY: { description: 'Sends the document to the repository.' },
};

const phases: Record<PhaseAction, { description: string }> = {
  ...atCreation,
  SUSPEND: { description: 'Suspends the workflow.' },
  RESUME: { description: 'Resumes the workflow.' },
  CANCEL: { description: 'Cancels the workflow.' },
  BLOCK: { description: 'Blocks the document.' },
  DELETE: { description: 'Blocks the document, then deletes it.' },
};

export const ResponseActionEnum = builder.enumType('ResponseAction', {
  description: 'Workflow actions of a participant in the current phase.',
  values: responses,
});

export const CreateActionEnum = builder.enumType('CreateAction', {
  description: 'Workflow actions that can be requested when a document is created.',
  values: atCreation,
});

export const PhaseActionEnum = builder.enumType('PhaseAction', {
  description: 'Workflow actions that move a document to another phase or change its status.',
  values: phases,
});

export const WorkflowActionEnum = builder.enumType('WorkflowAction', {
  description: 'All workflow actions of the DMS.',
  values: { ...responses, ...phases } satisfies Record<WorkflowAction, object>,
});
