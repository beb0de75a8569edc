import type { Flow, Process } from '../workflow.ts';
import { phase, status } from '../workflow.ts';
import type { FormName } from './forms.ts';

/** A position in the workflow of seeded documents. */
export type Place =
  | 'draft'
  | 'approval'
  | 'approval2'
  | 'declined'
  | 'sign'
  | 'execution'
  | 'archive'
  | 'repository'
  | 'suspended'
  | 'cancelled'
  | 'blocked';

/** Positions that the documents of each form have, in turn. */
export const placesOf: Readonly<Record<FormName, readonly Place[]>> = {
  invoice: [
    'approval',
    'execution',
    'archive',
    'approval',
    'approval2',
    'archive',
    'declined',
    'approval',
    'suspended',
    'draft',
  ],
  contract: ['sign', 'archive', 'approval', 'archive', 'execution', 'draft', 'sign', 'cancelled'],
  purchase: ['approval', 'execution', 'archive', 'draft', 'approval2'],
  leave: ['approval', 'archive', 'approval2', 'archive', 'draft', 'declined'],
  letter: ['execution', 'archive', 'execution', 'blocked'],
  memo: ['sign', 'repository', 'execution', 'draft', 'approval'],
  policy: ['repository', 'repository', 'approval', 'repository', 'sign'],
  fax: ['archive'],
};

/** The flow of a document at a position, and everyone who was assigned a task so far. */
export function flowAt(
  place: Place,
  route: Process,
  iteration: number,
): { flow: Flow; asked: readonly string[]; waiting: readonly string[] } {
  const at = (
    state: number,
    step: number,
    newStatus: number,
    stages: readonly (readonly string[])[],
  ) => ({
    flow: {
      state,
      step,
      iteration: state === phase.draft ? 0 : iteration,
      status: newStatus,
      held: null,
      route,
    },
    asked: stages.flat(),
    waiting: newStatus === status.running ? (stages.at(-1) ?? []) : [],
  });
  const first = route.approval[0] ?? route.execution[0] ?? route.sign[0] ?? [];
  const firstPhase = route.approval.length > 0 ? phase.approval : phase.execution;
  const everyone = [...route.approval, ...route.sign, ...route.execution];
  switch (place) {
    case 'draft':
      return at(phase.draft, 0, status.draft, []);
    case 'approval':
      return at(phase.approval, 1, status.running, [first]);
    case 'approval2':
      return at(phase.approval, 2, status.running, route.approval.slice(0, 2));
    case 'declined':
      return at(phase.approval, 1, status.declined, [first]);
    case 'sign':
      return at(phase.sign, 1, status.running, [...route.approval, ...route.sign.slice(0, 1)]);
    case 'execution':
      return at(phase.execution, 1, status.running, [...everyone]);
    case 'archive':
      return at(phase.archive, 0, status.archived, everyone);
    case 'repository':
      return at(phase.repository, 0, status.published, everyone);
    default: {
      const left = at(firstPhase, 1, status.running, [first]);
      const held = { state: firstPhase, step: 1, status: status.running };
      return { ...left, waiting: [], flow: { ...left.flow, ...heldPlaces[place], held } };
    }
  }
}

const heldPlaces = {
  suspended: { state: phase.suspended, status: status.suspended },
  cancelled: { state: phase.cancelled, status: status.cancelled },
  blocked: { state: phase.blocked, status: status.blocked },
} as const;
