import { phaseActions, responseActions } from '../../domain/workflow.ts';
import type { PhaseAction, ResponseAction } from '../../gql/graphql.ts';
import type { Label } from '../../language/text.ts';
import type { BulkAction } from './use-bulk-action.ts';

/** What the user has entered for several documents. */
export interface BulkEntry {
  /** `respond` or `move`, and the action, such as `respond APPROVE`. Empty: none is chosen. */
  readonly choice: string;
  /** The comment of a response. It is kept while another action is selected. */
  readonly content: string;
}

/** Returns the action to take. Null: none is chosen. */
export function toBulkAction({ choice, content }: BulkEntry): BulkAction | null {
  if (choice === '') return null;
  const [kind, action] = choice.split(' ');
  return kind === 'respond'
    ? { kind, action: action as ResponseAction, content: content.trim() }
    : { kind: 'move', action: action as PhaseAction };
}

/** Returns the label of an action. */
export function labelOf(action: BulkAction): Label {
  return action.kind === 'move' ? phaseActions[action.action] : responseActions[action.action];
}
