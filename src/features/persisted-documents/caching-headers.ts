import { hash } from 'node:crypto';
import { getNamedType, type ExecutionResult, type GraphQLObjectType } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Settings } from '../../config/read-config.ts';
import { isNodeType, resources } from '../../model/resource.ts';
import type { OperationPlan, Selection } from '../../schema/plan/operation-plan.ts';
import { isPrepared, type OperationContext } from '../../server/graphql/operation.ts';
import { matchesEtag } from '../../server/http/respond.ts';
import { costOnlyHeader, upstreamTraceHeader } from '../../server/http/request-checks.ts';

type ResponseHook = Parameters<
  NonNullable<Plugin<OperationContext, OperationContext>['onResponse']>
>[0];

/**
 * For the response to a GET of a trusted document that reads reference data only. The age of what the gateway had cached
 * counts, so that a client keeps no value for longer than `CACHE_TTL_MS`; mutations do not reach the caches of clients.
 */
export function createCachingHeaders(
  { runAsHeader, forwardHeaders }: Pick<Settings, 'runAsHeader' | 'forwardHeaders'>,
  ttlMs: number,
) {
  const traits = ['accept', 'accept-language', 'authorization', runAsHeader];
  const own = [...traits, upstreamTraceHeader, costOnlyHeader];
  const vary = [...new Set([...own, ...forwardHeaders])].join(', ');
  return async ({
    response,
    serverContext,
    setResponse,
    fetchAPI,
  }: ResponseHook): Promise<void> => {
    const { operation } = serverContext;
    const { http } = operation;
    if (ttlMs === 0 || http.outcome !== 'OK') return;
    if (!isPrepared(operation) || !readsReferenceData(operation.plan)) return;
    const { headers } = response;
    if (!headers.get('content-type')?.startsWith('application/')) return; // a stream
    const text = await response.clone().text();
    const { data, extensions } = JSON.parse(text) as ExecutionResult;
    if (data == null || extensions !== undefined) return;
    const maxAgeS = Math.floor(Math.max(0, ttlMs - operation.budget.oldestReadMs) / 1000);
    const etag = `"${hash('sha256', text, 'base64url')}"`;
    headers.set('etag', etag);
    headers.set('cache-control', `private, max-age=${maxAgeS}`);
    headers.set('vary', vary);
    if (!matchesEtag(http.req.headers['if-none-match'], etag)) return;
    setResponse(new fetchAPI.Response(null, { status: 304, headers }));
  };
}

/**
 * Whether an operation is a query that reads nothing but reference data: objects of cached resources, and pages and parts
 * of them. Fields of a team can read anything.
 */
export function readsReferenceData({ operation, root, fields }: OperationPlan): boolean {
  const rootFields = root.fields.filter(({ definition }) => definition !== null);
  return (
    operation.operation === 'query' &&
    rootFields.length > 0 &&
    rootFields.every(({ below }) => below.some(isObjectOrPage)) &&
    [...fields.values()]
      .flat()
      .every(
        ({ parentType, hints }) =>
          (parentType === root.type || isReferenceData(parentType)) && hints.isTeamField !== true,
      )
  );
}

function isObjectOrPage({ type }: Selection): boolean {
  return isNodeType(type.name) || 'nodes' in type.getFields();
}

function isReferenceData(type: GraphQLObjectType): boolean {
  if (isNodeType(type.name)) return resources[type.name].isCached;
  return Object.values(type.getFields()).every((field) => {
    const { name } = getNamedType(field.type);
    return !isNodeType(name) || resources[name].isCached;
  });
}
