import { labelOf, phases, statuses, toneOf } from '../domain/workflow.ts';
import { useText } from '../language/text.ts';

interface WorkflowBadgesProps {
  readonly state: number | null | undefined;
  readonly status: number | null | undefined;
}

/** The workflow phase and the status of a document. They are shown once if they have the same name. */
export function WorkflowBadges({ state, status }: WorkflowBadgesProps) {
  const t = useText();
  const phase = state == null ? null : labelOf(phases, state, t);
  const statusLabel = status == null ? null : labelOf(statuses, status, t);
  return (
    <span className="row">
      {phase !== null && phase !== statusLabel && <span className="badge">{phase}</span>}
      {status != null && <span className={`badge badge-${toneOf(status)}`}>{statusLabel}</span>}
    </span>
  );
}
