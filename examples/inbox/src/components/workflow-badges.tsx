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
  if (phase === null && statusLabel === null) return null;
  return (
    <span className={`badge badge-${status == null ? 'neutral' : toneOf(status)}`}>
      <span className="badge-dot" aria-hidden="true" />
      <span className="clip">
        {phase !== statusLabel && phase}
        {phase !== null && statusLabel !== null && phase !== statusLabel && ' · '}
        {statusLabel}
      </span>
    </span>
  );
}
