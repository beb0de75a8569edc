import type { GraphQLResolveInfo } from 'graphql';
import type { GatewayContext } from '../context.ts';
import type { ListValue } from '../model/list-value.ts';
import type { Person } from '../model/person.ts';
import { isKeyOnly } from './selection/projection.ts';

/*
 * Objects that another object references by key. Where only the key was selected, the key is the answer
 * and costs no request; everything else is one request per key and operation.
 */

type MaybePromise<T> = Promise<T | null> | T | null;

/** The person behind a system id; costs one request per person unless only the id was selected. */
export function personOf(
  systemId: string | null | undefined,
  { loaders }: GatewayContext,
  info: GraphQLResolveInfo,
): MaybePromise<Pick<Person, 'systemId'> & Partial<Person>> {
  if (systemId == null) return null;
  return isKeyOnly(info, 'Person') ? { systemId } : loaders.person.load(systemId);
}

/** Who stands behind a system id. A service account has nothing but its id and costs no request. */
export function actorOf(
  systemId: string | null | undefined,
  context: GatewayContext,
  info: GraphQLResolveInfo,
): MaybePromise<{ systemId: string }> {
  if (systemId == null) return null;
  return isServiceAccount(systemId) ? { systemId } : personOf(systemId, context, info);
}

/** The list value behind a full id. */
export function listValueOf(
  fullId: string | null | undefined,
  { loaders }: GatewayContext,
  info: GraphQLResolveInfo,
): MaybePromise<Pick<ListValue, 'fullId'> & Partial<ListValue>> {
  if (fullId == null) return null;
  return isKeyOnly(info) ? { fullId } : loaders.listValue.load(fullId);
}

/** Author ids that begin with `api-` belong to service accounts (REST spec, General conventions). */
export function isServiceAccount(systemId: string): boolean {
  return systemId.startsWith('api-');
}
