import { labelsOfWorkflow, toneOf } from '../domain/workflow.ts';
import { useText } from '../language/text.ts';

interface WorkflowBadgeProps {
  readonly state: number | null | undefined;
  readonly status: number | null | undefined;
}

export function WorkflowBadge({ state, status }: WorkflowBadgeProps) {
  const t = useText();
  const labels = labelsOfWorkflow(state, status, t);
  if (labels.length === 0) return null;
  return (
    <span className={`badge badge-${toneOf(state, status)}`}>
      <span className="badge-dot" aria-hidden="true" />
      <span className="clip">{labels.join(' · ')}</span>
    </span>
  );
}
