import type { GraphQLResolveInfo } from 'graphql';
import type { GatewayContext } from '../context.ts';
import type { ListValue } from '../model/list-value.ts';
import type { Person } from '../model/person.ts';
import { isKeyOnly } from './plan/requirements.ts';

/*
 * Objects that other objects reference by key. If only the key is selected, they cost no upstream request. Otherwise
 * they cost one per key and operation.
 */

type MaybePromise<T> = Promise<T | null> | T | null;

/**
 * The person with a system ID. Null without an ID. Costs one upstream request per person, unless only the ID is
 * selected.
 */
export function personOf(
  systemId: string | null | undefined,
  { loaders }: GatewayContext,
  info: GraphQLResolveInfo,
): MaybePromise<Pick<Person, 'systemId'> & Partial<Person>> {
  if (systemId == null) return null;
  return isKeyOnly(info, 'Person') ? { systemId } : loaders.person.load(systemId);
}

/** The person or service account with a system ID. Null without an ID. A service account costs no upstream request. */
export function actorOf(
  systemId: string | null | undefined,
  context: GatewayContext,
  info: GraphQLResolveInfo,
): MaybePromise<{ systemId: string }> {
  if (systemId == null) return null;
  return isServiceAccount(systemId) ? { systemId } : personOf(systemId, context, info);
}

/** The list value with a full ID. Null without an ID. Costs one upstream request, unless only the ID is selected. */
export function listValueOf(
  fullId: string | null | undefined,
  { loaders }: GatewayContext,
  info: GraphQLResolveInfo,
): MaybePromise<Pick<ListValue, 'fullId'> & Partial<ListValue>> {
  if (fullId == null) return null;
  return isKeyOnly(info) ? { fullId } : loaders.listValue.load(fullId);
}

/** Whether a system ID is that of a service account: it starts with `api-` (REST spec, General conventions). */
export function isServiceAccount(systemId: string): boolean {
  return systemId.startsWith('api-');
}
