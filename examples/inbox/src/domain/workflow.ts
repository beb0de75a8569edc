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

const phase = {
  draft: 0,
  approval: 10,
  signing: 20,
  execution: 30,
  archive: 40,
  repository: 50,
  suspended: 60,
  cancelled: 70,
  blocked: 80,
};

const status = {
  draft: 1,
  running: 2,
  completed: 3,
  declined: 4,
  suspended: 5,
  cancelled: 6,
  archived: 7,
  published: 8,
  blocked: 9,
};

/** `Document.state`. */
export const phases: readonly WorkflowNumber[] = [
  { value: phase.draft, label: 'Draft' },
  { value: phase.approval, label: 'Approval' },
  { value: phase.signing, label: 'Signing' },
  { value: phase.execution, label: 'Execution' },
  { value: phase.archive, label: 'Archive' },
  { value: phase.repository, label: 'Repository' },
  { value: phase.suspended, label: 'Suspended' },
  { value: phase.cancelled, label: 'Cancelled' },
  { value: phase.blocked, label: 'Blocked' },
];

/** `Document.status`. */
export const statuses: readonly WorkflowNumber[] = [
  { value: status.draft, label: 'Draft' },
  { value: status.running, label: 'Running' },
  { value: status.completed, label: 'Completed' },
  { value: status.declined, label: 'Declined' },
  { value: status.suspended, label: 'Suspended' },
  { value: status.cancelled, label: 'Cancelled' },
  { value: status.archived, label: 'Archived' },
  { value: status.published, label: 'Published' },
  { value: status.blocked, label: 'Blocked' },
];

/** The status of a document that waits for somebody. */
export const runningStatus = status.running;

const statusTones: Readonly<Record<number, string>> = {
  [status.running]: 'active',
  [status.completed]: 'done',
  [status.declined]: 'stopped',
  [status.suspended]: 'paused',
  [status.cancelled]: 'paused',
  [status.archived]: 'done',
  [status.published]: 'done',
  [status.blocked]: 'stopped',
};

/** Returns the label of a number, or the number itself if it is unknown. */
export function labelOf(numbers: readonly WorkflowNumber[], value: number, t: Translate): string {
  const known = numbers.find((one) => one.value === value);
  return known ? t(known.label) : `${value}`;
}

/** Suffix of the badge class of a status. */
export function toneOf(code: number): string {
  return statusTones[code] ?? 'neutral';
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
  [phase.approval]: ['APPROVE', 'APPROVE_WITH_EDITS', 'DECLINE'],
  [phase.signing]: ['SIGN', 'DECLINE'],
  [phase.execution]: ['COMPLETE_EXECUTION', 'DECLINE'],
};

/** Returns the responses that a phase accepts, the usual one first, and all of them for an unknown phase. */
export function responseActionsIn(code: number | null | undefined): readonly ResponseAction[] {
  return actionsOfPhase[code ?? -1] ?? (Object.keys(responseActions) as readonly ResponseAction[]);
}

/** Whether a status means that there is something to do. */
export function isOpenStatus(code: number | null | undefined): boolean {
  const open = [status.draft, status.running, status.suspended, status.blocked];
  return code != null && open.includes(code);
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

const working = [phase.approval, phase.signing, phase.execution];
const beforeFiling = [phase.draft, ...working, phase.cancelled];

/** The phases from which an action moves a document. Other actions are possible from every phase. */
const phasesOfAction: Readonly<Partial<Record<PhaseAction, readonly number[]>>> = {
  SEND_TO_APPROVAL: [phase.draft, phase.signing, phase.execution, phase.repository],
  SEND_TO_SIGN: [phase.draft, phase.approval, phase.execution, phase.repository],
  SEND_TO_EXECUTION: [phase.draft, phase.approval, phase.signing, phase.repository],
  SEND_TO_ARCHIVE: [...beforeFiling, phase.repository],
  SEND_TO_REPOSITORY: [...beforeFiling, phase.archive],
  RESEND: [phase.draft, ...working, phase.cancelled],
  SUSPEND: working,
  RESUME: [phase.suspended],
  CANCEL: [...working, phase.suspended],
  BLOCK: [
    phase.draft,
    ...working,
    phase.archive,
    phase.repository,
    phase.suspended,
    phase.cancelled,
  ],
};

/** Returns the actions that move a document from a phase, and all of them for an unknown phase. */
export function phaseActionsIn(code: number | null | undefined): readonly PhaseAction[] {
  const all = Object.keys(phaseActions) as readonly PhaseAction[];
  if (!phases.some(({ value }) => value === code)) return all;
  return all.filter((action) => phasesOfAction[action]?.includes(code!) ?? true);
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
