import type { PhaseAction, ResponseAction } from '../gql/graphql.ts';
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
  Draft: 0,
  Approval: 10,
  Signing: 20,
  Execution: 30,
  Archive: 40,
  Repository: 50,
  Suspended: 60,
  Cancelled: 70,
  Blocked: 80,
} as const satisfies Partial<Record<Label, number>>;

const status = {
  Draft: 1,
  Running: 2,
  Completed: 3,
  Declined: 4,
  Suspended: 5,
  Cancelled: 6,
  Archived: 7,
  Published: 8,
  Blocked: 9,
} as const satisfies Partial<Record<Label, number>>;

export const phases = numbersOf(phase);

export const statuses = numbersOf(status);

function numbersOf(byLabel: Partial<Record<Label, number>>): readonly WorkflowNumber[] {
  const entries = Object.entries(byLabel) as readonly (readonly [Label, number])[];
  return entries.map(([label, value]) => ({ value, label }));
}

export const runningStatus = status.Running;

const statusTones: Readonly<Record<number, string>> = {
  [status.Completed]: 'done',
  [status.Declined]: 'stopped',
  [status.Suspended]: 'paused',
  [status.Cancelled]: 'paused',
  [status.Archived]: 'done',
  [status.Published]: 'done',
  [status.Blocked]: 'stopped',
};

const phaseTones: Readonly<Record<number, string>> = {
  [phase.Approval]: 'active',
  [phase.Signing]: 'signing',
  [phase.Execution]: 'execution',
};

function labelOf(numbers: readonly WorkflowNumber[], value: number, t: Translate): string {
  const known = numbers.find((one) => one.value === value);
  return known ? t(known.label) : `${value}`;
}

export function toneOf(state: number | null | undefined, code: number | null | undefined): string {
  return statusTones[code ?? -1] ?? phaseTones[state ?? -1] ?? 'neutral';
}

const phaseOfStatus: Readonly<Record<number, number>> = {
  [status.Archived]: phase.Archive,
  [status.Published]: phase.Repository,
};

export function labelsOfWorkflow(
  state: number | null | undefined,
  code: number | null | undefined,
  t: Translate,
): readonly string[] {
  const phaseLabel = state == null ? [] : [labelOf(phases, state, t)];
  if (code == null || (code === status.Running && state != null)) return phaseLabel;
  const statusLabel = labelOf(statuses, code, t);
  if (phaseOfStatus[code] === state || phaseLabel.includes(statusLabel)) return [statusLabel];
  return [...phaseLabel, statusLabel];
}

export const responseActions: Readonly<Record<ResponseAction, Label>> = {
  APPROVE: 'Approve',
  APPROVE_WITH_EDITS: 'Approve with changes',
  SIGN: 'Sign',
  COMPLETE_EXECUTION: 'Report as done',
  DECLINE: 'Decline',
};

export const countedActions = {
  APPROVE: 'Approve {count}',
  APPROVE_WITH_EDITS: 'Approve {count} with changes',
  SIGN: 'Sign {count}',
  COMPLETE_EXECUTION: 'Report {count} as done',
  DECLINE: 'Decline {count}',
} as const satisfies Record<ResponseAction, string>;

const actionsOfPhase: Readonly<Record<number, readonly ResponseAction[]>> = {
  [phase.Approval]: ['APPROVE', 'APPROVE_WITH_EDITS', 'DECLINE'],
  [phase.Signing]: ['SIGN', 'DECLINE'],
  [phase.Execution]: ['COMPLETE_EXECUTION', 'DECLINE'],
};

export function responseActionsIn(code: number | null | undefined): readonly ResponseAction[] {
  return actionsOfPhase[code ?? -1] ?? (Object.keys(responseActions) as readonly ResponseAction[]);
}

export function isOpenStatus(code: number | null | undefined): boolean {
  const open: readonly number[] = [status.Draft, status.Running, status.Suspended, status.Blocked];
  return code != null && open.includes(code);
}

export const phaseActions: Readonly<Record<PhaseAction, Label>> = {
  SEND_TO_APPROVAL: 'Send to approval',
  SEND_TO_SIGN: 'Send to signing',
  SEND_TO_EXECUTION: 'Send to execution',
  SEND_TO_ARCHIVE: 'Send to the archive',
  SEND_TO_REPOSITORY: 'Send to the repository',
  RESEND: 'Start this phase again',
  SUSPEND: 'Suspend',
  RESUME: 'Resume',
  CANCEL: 'Cancel the workflow',
  BLOCK: 'Block',
  DELETE: 'Delete',
};

/** What a document that does not await the user waits for, and the action that continues it. */
interface NextStep {
  readonly text: Label;
  readonly action: PhaseAction | null;
}

const ended: NextStep = { text: 'Its workflow has ended.', action: null };

const nextSteps: Readonly<Record<number, NextStep>> = {
  [status.Draft]: { text: 'This draft was not sent yet.', action: 'SEND_TO_APPROVAL' },
  [status.Running]: { text: 'It awaits the response of others.', action: null },
  [status.Completed]: ended,
  [status.Declined]: { text: 'It was declined.', action: 'RESEND' },
  [status.Suspended]: { text: 'Its workflow is suspended.', action: 'RESUME' },
  [status.Cancelled]: { text: 'Its workflow was cancelled.', action: 'RESEND' },
  [status.Archived]: ended,
  [status.Published]: ended,
  [status.Blocked]: { text: 'It is blocked.', action: null },
};

export function nextStepOf(code: number | null | undefined): NextStep {
  return nextSteps[code ?? -1] ?? { text: 'No response is expected from you.', action: null };
}

const working: readonly number[] = [phase.Approval, phase.Signing, phase.Execution];
const beforeFiling = [phase.Draft, ...working, phase.Cancelled];

const phasesOfAction: Readonly<Partial<Record<PhaseAction, readonly number[]>>> = {
  SEND_TO_APPROVAL: [phase.Draft, phase.Signing, phase.Execution, phase.Repository],
  SEND_TO_SIGN: [phase.Draft, phase.Approval, phase.Execution, phase.Repository],
  SEND_TO_EXECUTION: [phase.Draft, phase.Approval, phase.Signing, phase.Repository],
  SEND_TO_ARCHIVE: [...beforeFiling, phase.Repository],
  SEND_TO_REPOSITORY: [...beforeFiling, phase.Archive],
  RESEND: [phase.Draft, ...working, phase.Cancelled],
  SUSPEND: working,
  RESUME: [phase.Suspended],
  CANCEL: [...working, phase.Suspended],
  BLOCK: [
    phase.Draft,
    ...working,
    phase.Archive,
    phase.Repository,
    phase.Suspended,
    phase.Cancelled,
  ],
};

export function phaseActionsIn(code: number | null | undefined): readonly PhaseAction[] {
  const all = Object.keys(phaseActions) as readonly PhaseAction[];
  if (!phases.some(({ value }) => value === code)) return all;
  return all.filter((action) => phasesOfAction[action]?.includes(code!) ?? true);
}

/** The role of the sandbox that may move the documents of others. */
export const moverRole = 'elAdminDocsRW';

export function mayMove(
  person: { readonly systemId: string; readonly roles: readonly string[] },
  authorId: string | undefined,
): boolean {
  return person.systemId === authorId || person.roles.includes(moverRole);
}
