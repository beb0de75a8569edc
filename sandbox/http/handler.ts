import type { IncomingMessage } from 'node:http';
import type { Caller } from '../caller.ts';
import type { SandboxResponse } from './response.ts';

/** One authenticated request, as a handler sees it. */
export interface RequestContext {
  readonly request: IncomingMessage;
  /** The decoded path parameters, by their names in the route. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly caller: Caller;
  /** Aborts when the client goes away before it has its answer. */
  readonly signal: AbortSignal;
}

export type Handler = (context: RequestContext) => SandboxResponse | Promise<SandboxResponse>;

/** A parameter of the route; the router has filled it, so a missing one is a slip in the table of routes. */
export function param(context: RequestContext, name: string): string {
  const value = context.params[name];
  if (value === undefined) throw new Error(`The route has no parameter ${name}.`);
  return value;
}
