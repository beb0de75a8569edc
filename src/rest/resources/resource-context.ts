import { Readable } from 'node:stream';
import type { Conditions, Download } from '../../model/document.ts';
import type { Call, CallResult } from '../client/call/call.ts';
import type { CachedResult } from '../client/call/reference-cache.ts';
import type { Caller } from '../client/caller.ts';
import { pathSegment } from '../wire/path.ts';
import type { Coding } from '../client/transport/content-coding.ts';
import type { RequestBudget } from '../client/limits/request-budget.ts';
import { RestError, xErrorMessage } from '../client/rest-error.ts';
import type { HttpClient } from '../client/http-client.ts';
import type { ReadCall } from '../client/call/read.ts';
import { outcomeUnknown, type WriteCall } from '../client/call/write.ts';
import { resources, type NodeType, type ReferenceResource } from '../../model/resource.ts';
import type { WriteOutcome } from '../../model/common.ts';

export interface ResourceContext {
  readonly http: HttpClient;
  readonly caller: Caller;
  readonly budget: RequestBudget;
}

export type RequestTarget = Pick<Call, 'route' | 'path' | 'label'>;

type FromWire<T> = (body: unknown, request: string) => T;

export function targetOf(label: string, route: string, ...ids: readonly string[]): RequestTarget {
  let path = '';
  let rest = route;
  for (const id of ids) {
    const start = rest.indexOf('{');
    path += rest.slice(0, start) + pathSegment(id);
    rest = rest.slice(rest.indexOf('}') + 1);
  }
  return { route, path: path + rest, label };
}

export function read(
  { http, caller, budget }: ResourceContext,
  call: RequestTarget & Pick<ReadCall, 'responseType' | 'hasSideEffect'>,
): Promise<CallResult> {
  return http.read({ ...call, caller, budget, method: 'GET' });
}

export function readReferenceData<T>(
  context: ResourceContext,
  resource: ReferenceResource,
  target: RequestTarget,
  fromWire: FromWire<T>,
): Promise<T> {
  const load = (): Promise<CallResult> => read(context, target);
  const translate = ({ body, request }: CachedResult): T => fromWire(body, request);
  return readCached(context, resource, target, target.path, load, translate);
}

export function readCached<T>(
  { http, caller, budget }: ResourceContext,
  resource: ReferenceResource,
  target: RequestTarget,
  key: string,
  load: () => Promise<CallResult>,
  translate: (response: CachedResult) => T,
): Promise<T> {
  const call = { ...target, caller, budget, method: 'GET' } as const;
  return http.referenceCache.read(resource, call, key, load, translate);
}

export async function write<T>(
  { http, caller, budget }: ResourceContext,
  affected: Parameters<HttpClient['write']>[1],
  call: RequestTarget & Pick<WriteCall, 'method' | 'json' | 'expectsBody'>,
  requiredRole: string | null,
  fromWire: FromWire<T>,
): Promise<WriteOutcome<T>> {
  const response = await http.write({ ...call, caller, budget }, affected);
  return writeOutcomeFrom(response, requiredRole, fromWire);
}

export function upsert<T>(
  context: ResourceContext,
  type: NodeType,
  target: RequestTarget,
  json: object,
  requiredRole: string,
  fromWire: FromWire<T>,
): Promise<WriteOutcome<T>> {
  const call = { ...target, method: 'POST', json, expectsBody: true } as const;
  return write(context, { resources: resources[type].invalidates }, call, requiredRole, fromWire);
}

/**
 * Translates the response of a write. Parameters as `write`.
 *
 * Roles of operations: REST spec, Authentication. The message is that of `X-Error` (REST spec, Errors 2 and 3), because
 * the shape of error bodies is not specified.
 */
export function writeOutcomeFrom<T>(
  { status, headers, request, body }: CallResult,
  requiredRole: string | null,
  fromWire: FromWire<T>,
): WriteOutcome<T> {
  if (status < 300) {
    try {
      return { outcome: 'done', value: fromWire(body, request) };
    } catch (error) {
      throw outcomeUnknown(request, status, error);
    }
  }
  const message = xErrorMessage(headers);
  if (status === 403) return { outcome: 'forbidden', message, requiredRole };
  if (status === 404) return { outcome: 'notFound', message };
  if (status === 422) return { outcome: 'nothingChanged', message };
  return {
    outcome: 'rejected',
    message: message ?? `The DMS rejected the request (status ${status}).`,
  };
}

export interface FileOptions {
  readonly conditions?: Conditions;
  readonly codings?: readonly Coding[];
  readonly head?: boolean;
}

/**
 * Opens a file. The specification does not define HEAD: if the DMS does not support it, a GET request is sent and its
 * body is discarded.
 */
export async function openFile(
  { http, caller, budget }: ResourceContext,
  { head, ...options }: FileOptions,
  target: RequestTarget,
): Promise<Download> {
  const call = { ...target, ...options, caller, budget };
  if (!head) return http.download({ ...call, method: 'GET' });
  try {
    return withoutBody(await http.download({ ...call, method: 'HEAD' }));
  } catch (error) {
    if (!(error instanceof RestError) || !isHeadUnsupported(error.status)) throw error;
  }
  return withoutBody(await http.download({ ...call, method: 'GET' }));
}

/** Aborts the transfer, so that the caller of a HEAD request need not read a body. */
function withoutBody(download: Download): Download {
  download.body.destroy();
  return { ...download, body: Readable.from([]) };
}

function isHeadUnsupported(status: number | null): boolean {
  return status === 404 || status === 405 || status === 501;
}
