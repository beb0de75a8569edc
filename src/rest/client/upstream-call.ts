import type { IncomingHttpHeaders } from 'node:http';
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
export function requestLine({ method, path }: Pick<UpstreamCall, 'method' | 'path'>): string {
  const line = `${method} ${path}`;
  return line.length > 500 ? `${line.slice(0, 500)}…` : line;
}

/** The response of a read. */
export interface UpstreamResponse {
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON, or text if the call requested it. For a write that expects no body or has status 4xx: null. */
  readonly body: unknown;
  /** Length of the body in bytes. */
  readonly bytes: number;
  /** As `requestLine`. */
  readonly request: string;
}

/** The response of a write, whose status can be 2xx, or 4xx if the DMS rejected the input. */
export interface WriteResponse extends UpstreamResponse {
  readonly status: number;
}

/** The path relative to the base URL, without the query. */
export function pathOf({ path }: UpstreamCall): string {
  const end = path.indexOf('?');
  return end < 0 ? path : path.slice(0, end);
}
