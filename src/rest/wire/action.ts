import type { PhaseAction, ResponseAction, WorkflowAction } from '../../model/workflow.ts';

const responseCodes: Readonly<Record<ResponseAction, number>> = {
  APPROVE: 2,
  APPROVE_WITH_EDITS: 3,
  DECLINE: 4,
  COMPLETE_EXECUTION: 5,
  SIGN: 8,
};

const phaseCodes: Readonly<Record<PhaseAction, number>> = {
  SEND_TO_APPROVAL: 100,
  SUSPEND: 101,
  RESUME: 102,
  CANCEL: 103,
  RESEND: 104,
  SEND_TO_SIGN: 105,
  SEND_TO_EXECUTION: 106,
  SEND_TO_ARCHIVE: 107,
  SEND_TO_REPOSITORY: 108,
  BLOCK: 110,
  DELETE: 111,
};

const codes: Readonly<Record<WorkflowAction, number>> = { ...responseCodes, ...phaseCodes };

/** The `docResponse` of an action with its code. @see REST spec, Documents 4, 5 and 6 */
export function actionToWire(action: WorkflowAction): { taskstatus: number } {
  return { taskstatus: codes[action] };
}

const actions = new Map<number, WorkflowAction>();
for (const action of actionsOf(codes)) actions.set(codes[action], action);

function actionsOf(table: Readonly<Record<WorkflowAction, number>>): WorkflowAction[] {
  // Object.keys returns strings, although the keys of the record are known.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.keys(table) as WorkflowAction[];
}

/** Returns the action of a code. Null for a code that the specification does not define. */
export function actionFromWire(code: number | null): WorkflowAction | null {
  return (code !== null && actions.get(code)) || null;
}
