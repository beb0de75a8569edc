import type { Plugin } from 'graphql-yoga';
import type { Caller } from '../../../rest/client/caller.ts';
import type { OperationContext } from '../operation-context.ts';
import type { Identity } from '../../identity/index.ts';

/** Identifies the user before the body is read. @throws {HttpError} 401, 403 or 503 */
export function useIdentity(identity: Identity): Plugin<OperationContext, OperationContext> {
  return { onRequestParse: ({ serverContext }) => identify(serverContext, identity) };
}

/** Sets the caller of a request, synchronously if possible. @throws {HttpError} 401, 403 or 503 */
export function identify(context: OperationContext, identity: Identity): Promise<void> | void {
  const caller = identity.identify(context.http.req.headers);
  if (caller instanceof Promise) return whenKnown(context, caller);
  setCaller(context, caller);
  return undefined;
}

async function whenKnown(context: OperationContext, caller: Promise<Caller>): Promise<void> {
  setCaller(context, await caller);
}

function setCaller(context: OperationContext, caller: Caller): void {
  context.caller = caller;
  context.http.memory.moveTo(caller.key);
}
