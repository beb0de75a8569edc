import type { CreateAction, PhaseAction, ResponseAction } from '../gql/graphql.ts';
import type { Label, Translate } from '../language/text.ts';

/**
 * The meaning of workflow numbers and actions. The schema leaves the numbers to the DMS; these are those of the
 * sandbox. Another installation replaces this file.
 */
export interface WorkflowNumber {
  readonly value: number;
  readonly label: Label;
}

/** `Document.state`. */
export const phases: readonly WorkflowNumber[] = [
  { value: 0, label: 'Draft' },
  { value: 10, label: 'Approval' },
  { value: 20, label: 'Signing' },
  { value: 30, label: 'Execution' },
  { value: 40, label: 'Archive' },
  { value: 50, label: 'Repository' },
  { value: 60, label: 'Suspended' },
  { value: 70, label: 'Cancelled' },
  { value: 80, label: 'Blocked' },
];

/** `Document.status`. */
export const statuses: readonly WorkflowNumber[] = [
  { value: 1, label: 'Draft' },
  { value: 2, label: 'Running' },
  { value: 3, label: 'Completed' },
  { value: 4, label: 'Declined' },
  { value: 5, label: 'Suspended' },
  { value: 6, label: 'Cancelled' },
  { value: 7, label: 'Archived' },
  { value: 8, label: 'Published' },
  { value: 9, label: 'Blocked' },
];

const statusTones: Readonly<Record<number, string>> = {
  2: 'active',
  3: 'done',
  4: 'stopped',
  5: 'paused',
  6: 'paused',
  7: 'done',
  8: 'done',
  9: 'stopped',
};

/** Returns the label of a number, or the number itself if it is unknown. */
export function labelOf(numbers: readonly WorkflowNumber[], value: number, t: Translate): string {
  const known = numbers.find((one) => one.value === value);
  return known ? t(known.label) : `${value}`;
}

/** Suffix of the badge class of a status. */
export function toneOf(status: number): string {
  return statusTones[status] ?? 'neutral';
}

/** Labels of the actions of participants. */
export const responseActions: Readonly<Record<ResponseAction, Label>> = {
  APPROVE: 'Approve',
  APPROVE_WITH_EDITS: 'Approve with changes',
  SIGN: 'Sign',
  COMPLETE_EXECUTION: 'Report as done',
  DECLINE: 'Decline',
};

const actionsOfPhase: Readonly<Record<number, readonly ResponseAction[]>> = {
  10: ['APPROVE', 'APPROVE_WITH_EDITS', 'DECLINE'],
  20: ['SIGN', 'DECLINE'],
  30: ['COMPLETE_EXECUTION', 'DECLINE'],
};

/** Returns the responses that a phase accepts, and all of them for an unknown phase. */
export function responseActionsIn(phase: number | null | undefined): readonly ResponseAction[] {
  return actionsOfPhase[phase ?? -1] ?? (Object.keys(responseActions) as readonly ResponseAction[]);
}

/** Labels of the actions that move a document. */
export const phaseActions: Readonly<Record<PhaseAction, Label>> = {
  SEND_TO_APPROVAL: 'Send to approval',
  SEND_TO_SIGN: 'Send to signing',
  SEND_TO_EXECUTION: 'Send to execution',
  SEND_TO_ARCHIVE: 'Send to the archive',
  SEND_TO_REPOSITORY: 'Send to the repository',
  RESEND: 'Send again',
  SUSPEND: 'Suspend',
  RESUME: 'Resume',
  CANCEL: 'Cancel the workflow',
  BLOCK: 'Block',
  DELETE: 'Delete',
};

/** Labels of the actions that a new document can take at once. */
export const createActions: Readonly<Partial<Record<CreateAction, Label>>> = {
  SEND_TO_APPROVAL: 'Send to approval',
  SEND_TO_SIGN: 'Send to signing',
  SEND_TO_EXECUTION: 'Send to execution',
  SEND_TO_ARCHIVE: 'Send to the archive',
  SEND_TO_REPOSITORY: 'Send to the repository',
};
