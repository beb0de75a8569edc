import { CircuitState, CountBreaker, circuitBreaker, handleWhen } from 'cockatiel';
import type { CircuitBreakerPolicy } from 'cockatiel';
import { RestError } from './errors.ts';
import { Fault } from './exchange.ts';
import type { HttpObserver } from './observer.ts';

/**
 * Stops asking a DMS that is away: open when more than half of the last calls (20 at least, 50 at most) found
 * it so, a probe half a second later, closed again when the probe gets an answer.
 *
 * A broken or refused connection, a time limit and 502, 503, 504 count. 4xx does not, and neither does
 * 500: it is an answer, and one document that cannot be read must not shut out the others.
 */
export function createBreaker(observer: HttpObserver): CircuitBreakerPolicy {
  const breaker: CircuitBreakerPolicy = circuitBreaker(
    handleWhen((error) => saysAway(error) || breaker.state === CircuitState.HalfOpen).orWhenResult(
      (result) => isGatewayStatus(result),
    ),
    {
      halfOpenAfter: 500,
      breaker: new CountBreaker({ size: 50, minimumNumberOfCalls: 20, threshold: 0.5 }),
    },
  );
  breaker.onStateChange((state) => observer.breakerChanged(names[state]));
  return breaker;
}

const names: Record<CircuitState, 'closed' | 'open' | 'halfOpen'> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'halfOpen',
  [CircuitState.Isolated]: 'open',
};

function saysAway(error: unknown): boolean {
  if (!(error instanceof RestError && error.cause instanceof Fault)) return false;
  return error.cause.kind === 'connection' || error.cause.kind === 'timeout';
}

function isGatewayStatus(result: unknown): boolean {
  if (typeof result !== 'object' || result === null || !('status' in result)) return false;
  return result.status === 502 || result.status === 503 || result.status === 504;
}
