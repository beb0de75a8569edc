import { useCost } from './use-cost.ts';

export function CostEstimate() {
  const cost = useCost();
  const isRejected = cost !== null && cost !== 'outdated' && 'error' in cost;
  return (
    <output className={isRejected ? 'cost cost-error' : 'cost'} aria-busy={cost === 'outdated'}>
      {textOf(cost)}
    </output>
  );
}

function textOf(cost: ReturnType<typeof useCost>): string {
  if (cost === null) return '';
  if (cost === 'outdated') return 'Cost: …';
  if ('error' in cost) return cost.error;
  const { atLeast, upstreamCalls } = cost;
  const range = atLeast === upstreamCalls ? `${atLeast}` : `${atLeast} to ${upstreamCalls}`;
  return `Cost: ${range} REST ${upstreamCalls === 1 ? 'call' : 'calls'}`;
}
