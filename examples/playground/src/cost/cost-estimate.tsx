import { useCost } from './use-cost.ts';

/** How many REST calls the operation needs, before it is run. */
export function CostEstimate() {
  const cost = useCost();
  const isRejected = cost !== null && 'error' in cost;
  return (
    <output className={isRejected ? 'cost cost-error' : 'cost'}>
      {cost !== null && ('error' in cost ? cost.error : textOf(cost))}
    </output>
  );
}

function textOf({ atLeast, upstreamCalls }: { atLeast: number; upstreamCalls: number }): string {
  const range = atLeast === upstreamCalls ? `${atLeast}` : `${atLeast} to ${upstreamCalls}`;
  return `Cost: ${range} REST ${upstreamCalls === 1 ? 'call' : 'calls'}`;
}
