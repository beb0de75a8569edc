import type { IncomingMessage } from 'node:http';
import type { Caller } from '../caller.ts';
import type { SandboxResponse } from './response.ts';

/** An authenticated request. */
export interface RequestContext {
  readonly request: IncomingMessage;
  /** The decoded path parameters by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly caller: Caller;
  /** Aborts if the client disconnects before it has received the response. */
  readonly signal: AbortSignal;
}

export type Handler = (context: RequestContext) => SandboxResponse | Promise<SandboxResponse>;

/** Returns a path parameter. The router has set it, so a missing one is an error in the route table. */
export function param(context: RequestContext, name: string): string {
  const value = context.params[name];
  if (value === undefined) throw new Error(`The route has no parameter ${name}.`);
  return value;
}
