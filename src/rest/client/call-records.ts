import type { CallSource } from './resilience/request-budget.ts';
import type { UpstreamCall } from './upstream-call.ts';

/** What a record shows of a call, besides its target. */
interface CallOutcome {
  /** A value of `performance.now()`. */
  readonly startedAt: number;
  readonly source: CallSource;
  readonly status: number | null;
  /** Counted from 1. */
  readonly attempt: number;
}

/** Adds a call, or a read that needed none, to the records of its operation, if it has any. */
export function recordCall(
  { budget, method, route, label, path }: Omit<UpstreamCall, 'caller'>,
  { startedAt, source, status, attempt }: CallOutcome,
): void {
  if (budget.callRecords === undefined) return;
  budget.recordCall({
    route: `${method} ${route}`,
    ...projectionOf(path),
    source,
    status,
    startMs: startedAt - budget.startedAt,
    ms: performance.now() - startedAt,
    why: label,
    attempt,
  });
}

function projectionOf(path: string): { fields?: readonly string[]; embed?: readonly string[] } {
  const query = new URLSearchParams(path.slice(path.indexOf('?') + 1));
  const [fields, embed] = [query.get('fields'), query.get('embed')];
  return {
    ...(fields !== null && { fields: fields.split(',') }),
    ...(embed !== null && { embed: embed.split(',') }),
  };
}
