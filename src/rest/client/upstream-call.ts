import type { Caller } from './caller.ts';
import type { RequestBudget } from './resilience/request-budget.ts';

/** One call to the DMS as a resource function describes it. */
export interface UpstreamCall {
  readonly caller: Caller;
  readonly budget: RequestBudget;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Path template, such as `/api/v2/person/{id}`. Metrics use it as a label. */
  readonly route: string;
  /** Path relative to the base URL, with the query. */
  readonly path: string;
  /** The calling function, such as `persons.get`. */
  readonly label: string;
  /** Set for a write to a document: its ID, or null if the write creates it. Subscriptions depend on it. */
  readonly changedDocument?: string | null;
}

/** Method and path for logs and errors, at most 500 characters long. */
export function requestLine(call: UpstreamCall): string {
  const line = `${call.method} ${call.path}`;
  return line.length > 500 ? `${line.slice(0, 500)}…` : line;
}
