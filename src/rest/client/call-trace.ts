import type { CallSource } from './resilience/request-budget.ts';
import type { UpstreamCall } from './upstream-call.ts';

/** What a trace shows of a read, besides its target. */
interface ReadOutcome {
  /** A value of `performance.now()`. */
  readonly startedAt: number;
  readonly source: CallSource;
  readonly status: number | null;
  /** Counted from 1. */
  readonly attempt: number;
}

/** Adds a call, or a read that needed none, to the trace of its operation. Does nothing without a trace. */
export function traceCall(
  { budget, method, route, label, path }: Omit<UpstreamCall, 'caller'>,
  { startedAt, source, status, attempt }: ReadOutcome,
): void {
  if (budget.trace === undefined) return;
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

/** Adds a read that another operation's call serves to the trace when the call ends. Returns the same promise. */
export function traceShared<T>(call: UpstreamCall, response: Promise<T>): Promise<T> {
  if (call.budget.trace === undefined) return response;
  const startedAt = performance.now();
  const record = (): void =>
    traceCall(call, { startedAt, source: 'shared', status: null, attempt: 1 });
  response.then(record, record);
  return response;
}

function projectionOf(path: string): { fields?: readonly string[]; embed?: readonly string[] } {
  const query = new URLSearchParams(path.slice(path.indexOf('?') + 1));
  const [fields, embed] = [query.get('fields'), query.get('embed')];
  return {
    ...(fields !== null && { fields: fields.split(',') }),
    ...(embed !== null && { embed: embed.split(',') }),
  };
}
