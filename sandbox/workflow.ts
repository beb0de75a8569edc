import { unchanged } from './problem.ts';

/**
 * The state machine of the workflow. The specification defines action codes and ranges, but not the states; the README
 * describes the ones of this sandbox. All functions are pure. Permissions are checked elsewhere.
 */
export const phase = {
  draft: 0,
  approval: 10,
  sign: 20,
  execution: 30,
  archive: 40,
  repository: 50,
  suspended: 60,
  cancelled: 70,
  blocked: 80,
  deleted: 90,
} as const;

export const status = {
  draft: 1,
  running: 2,
  completed: 3,
  declined: 4,
  suspended: 5,
  cancelled: 6,
  archived: 7,
  published: 8,
  blocked: 9,
  deleted: 10,
} as const;

/** Action codes of participants (REST spec, Documents 4). */
export const participantActions: ReadonlySet<number> = new Set([2, 3, 4, 5, 8]);
/** Action codes of the initiator or an administrator (REST spec, Documents 5). */
export const phaseActions: ReadonlySet<number> = new Set([
  100, 101, 102, 103, 104, 105, 106, 107, 108, 110, 111,
]);
/** Phase actions that are allowed on creation (REST spec, Documents 6). */
export const creationActions: ReadonlySet<number> = new Set([100, 104, 105, 106, 107, 108]);

/** The stages of each phase with tasks, in order. All actors of a stage must respond. */
export interface Process {
  readonly approval: readonly (readonly string[])[];
  readonly sign: readonly (readonly string[])[];
  readonly execution: readonly (readonly string[])[];
  /** Where a document goes after its last stage. */
  readonly after: 'archive' | 'repository';
}

/** The position to which a suspended, cancelled or blocked document returns. */
export interface Held {
  readonly state: number;
  readonly step: number;
  readonly status: number;
}

/** The position of a document in the workflow. */
export interface Flow {
  readonly state: number;
  readonly step: number;
  readonly iteration: number;
  readonly status: number;
  readonly held: Held | null;
  readonly route: Process;
}

/** The new position, and the actors who get a task. `assign` is null if the open tasks do not change. */
export interface Moved {
  readonly flow: Flow;
  readonly assign: readonly string[] | null;
}

const working: readonly number[] = [phase.approval, phase.sign, phase.execution];
const filed: readonly number[] = [phase.archive, phase.repository];

/** Whether tasks of the current stage can be answered. */
export function isOpen(flow: Flow): boolean {
  return working.includes(flow.state) && flow.status === status.running;
}

/** Whether the action sends the document to participants, which requires its mandatory fields. */
export function sendsToPeople(action: number): boolean {
  return [100, 104, 105, 106].includes(action);
}

function stagesOf(route: Process, state: number): readonly (readonly string[])[] {
  if (state === phase.approval) return route.approval;
  if (state === phase.sign) return route.sign;
  return state === phase.execution ? route.execution : [];
}

function enter(flow: Flow, state: number, iteration: number): Moved {
  const stages = stagesOf(flow.route, state);
  const [assign] = stages;
  if (assign === undefined) throw unchanged('The form has no participants for that phase.');
  const place = { state, step: 1, iteration, status: status.running, held: null };
  return { flow: { ...flow, ...place }, assign };
}

function fileAway(flow: Flow, state: number): Moved {
  const filedStatus = state === phase.archive ? status.archived : status.published;
  return {
    flow: { ...flow, state, step: 0, iteration: 1, status: filedStatus, held: null },
    assign: [],
  };
}

/** Leaves the phase and stores the position to return to. */
function holdAt(flow: Flow, state: number, newStatus: number): Moved {
  const held = flow.held ?? { state: flow.state, step: flow.step, status: flow.status };
  return { flow: { ...flow, state, status: newStatus, held }, assign: null };
}

function send(flow: Flow, state: number): Moved {
  const from = [phase.draft, ...working, phase.repository] as readonly number[];
  if (!from.includes(flow.state)) throw notFrom(flow);
  if (flow.state === state) throw unchanged('The document is in that phase already.');
  return enter(flow, state, 1);
}

function file(flow: Flow, state: number): Moved {
  const from = [phase.draft, phase.cancelled, ...working, ...filed] as readonly number[];
  if (!from.includes(flow.state)) throw notFrom(flow);
  if (flow.state === state) throw unchanged('The document is in that phase already.');
  return fileAway(flow, state);
}

/** Restarts the phase from its first stage; a draft enters the first phase of its form. */
function sendAgain(flow: Flow): Moved {
  if (flow.state === phase.draft) {
    const first = working.find((state) => stagesOf(flow.route, state).length > 0);
    return enter(flow, first ?? phase.approval, 1);
  }
  const state = flow.state === phase.cancelled ? flow.held?.state : flow.state;
  if (state === undefined || !working.includes(state)) throw notFrom(flow);
  if (flow.iteration >= 100) throw unchanged('The document has been sent 100 times already.');
  return enter(flow, state, flow.iteration + 1);
}

function resume(flow: Flow): Moved {
  if (flow.state !== phase.suspended || flow.held === null) throw notFrom(flow);
  return { flow: { ...flow, ...flow.held, held: null }, assign: null };
}

/**
 * Applies a phase action (100 to 111).
 * @throws {Problem} 422 if the action does not apply in the current phase
 */
export function move(flow: Flow, action: number): Moved {
  switch (action) {
    case 100:
      return send(flow, phase.approval);
    case 105:
      return send(flow, phase.sign);
    case 106:
      return send(flow, phase.execution);
    case 107:
      return file(flow, phase.archive);
    case 108:
      return file(flow, phase.repository);
    case 104:
      return sendAgain(flow);
    case 101:
      if (!working.includes(flow.state)) throw notFrom(flow);
      return holdAt(flow, phase.suspended, status.suspended);
    case 102:
      return resume(flow);
    case 103:
      if (![...working, phase.suspended].includes(flow.state)) throw notFrom(flow);
      return holdAt(flow, phase.cancelled, status.cancelled);
    case 110:
      if (flow.state === phase.blocked) throw unchanged('The document is blocked already.');
      return holdAt(flow, phase.blocked, status.blocked);
    case 111:
      return holdAt(flow, phase.deleted, status.deleted);
    default:
      throw new Error(`Action ${action} is not a phase action.`);
  }
}

const answers = new Map<number, readonly number[]>([
  [phase.approval, [2, 3, 4]],
  [phase.sign, [4, 8]],
  [phase.execution, [4, 5]],
]);

/**
 * Applies the response of a participant. `stillWaiting` is the number of other open tasks in the stage.
 * @throws {Problem} 422 if the phase does not accept this response
 */
export function answer(flow: Flow, action: number, stillWaiting: number): Moved {
  if (!isOpen(flow)) throw unchanged('No response is pending in this phase.');
  if (answers.get(flow.state)?.includes(action) !== true) throw notFrom(flow);
  if (action === 4) return { flow: { ...flow, status: status.declined }, assign: null };
  if (stillWaiting > 0) return { flow, assign: null };

  const nextStage = stagesOf(flow.route, flow.state)[flow.step];
  if (nextStage !== undefined) {
    return { flow: { ...flow, step: flow.step + 1 }, assign: nextStage };
  }
  const later = working.slice(working.indexOf(flow.state) + 1);
  const next = later.find((state) => stagesOf(flow.route, state).length > 0);
  return next === undefined ? fileAway(flow, phase[flow.route.after]) : enter(flow, next, 1);
}

function notFrom(flow: Flow) {
  return unchanged(`The action does not apply in phase ${flow.state} with status ${flow.status}.`);
}
