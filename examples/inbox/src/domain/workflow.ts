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

/** The status of a document that waits for somebody. */
export const runningStatus = 2;

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

/** Returns the responses that a phase accepts, the usual one first, and all of them for an unknown phase. */
export function responseActionsIn(phase: number | null | undefined): readonly ResponseAction[] {
  return actionsOfPhase[phase ?? -1] ?? (Object.keys(responseActions) as readonly ResponseAction[]);
}

/** Whether a status means that there is something to do. */
export function isOpenStatus(status: number | null | undefined): boolean {
  return status != null && [1, 2, 5, 9].includes(status);
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

const working = [10, 20, 30];
const beforeFiling = [0, ...working, 70];

/** The phases from which an action moves a document. Other actions are possible from every phase. */
const phasesOfAction: Readonly<Partial<Record<PhaseAction, readonly number[]>>> = {
  SEND_TO_APPROVAL: [0, 20, 30, 50],
  SEND_TO_SIGN: [0, 10, 30, 50],
  SEND_TO_EXECUTION: [0, 10, 20, 50],
  SEND_TO_ARCHIVE: [...beforeFiling, 50],
  SEND_TO_REPOSITORY: [...beforeFiling, 40],
  RESEND: [0, ...working, 70],
  SUSPEND: working,
  RESUME: [60],
  CANCEL: [...working, 60],
  BLOCK: [0, ...working, 40, 50, 60, 70],
};

/** Returns the actions that move a document from a phase, and all of them for an unknown phase. */
export function phaseActionsIn(phase: number | null | undefined): readonly PhaseAction[] {
  const all = Object.keys(phaseActions) as readonly PhaseAction[];
  if (!phases.some(({ value }) => value === phase)) return all;
  return all.filter((action) => phasesOfAction[action]?.includes(phase!) ?? true);
}

/** The role of the sandbox that may move the documents of others. */
const moverRole = 'elAdminDocsRW';

/** Whether a person may move a document: its author, and who has the role. */
export function mayMove(
  person: { readonly systemId: string; readonly roles: readonly string[] },
  authorId: string | undefined,
): boolean {
  return person.systemId === authorId || person.roles.includes(moverRole);
}

/** Labels of the actions that a new document can take at once. */
export const createActions: Readonly<Partial<Record<CreateAction, Label>>> = {
  SEND_TO_APPROVAL: 'Send to approval',
  SEND_TO_SIGN: 'Send to signing',
  SEND_TO_EXECUTION: 'Send to execution',
  SEND_TO_ARCHIVE: 'Send to the archive',
  SEND_TO_REPOSITORY: 'Send to the repository',
};
