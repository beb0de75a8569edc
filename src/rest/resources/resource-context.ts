import { Readable } from 'node:stream';
import type { Download } from '../../model/transfer.ts';
import type { UpstreamCall } from '../client/upstream-call.ts';
import { recordCall } from '../client/call-records.ts';
import type { Caller } from '../client/caller.ts';
import type { RequestBudget } from '../client/resilience/request-budget.ts';
import { RestError } from '../client/rest-error.ts';
import type { HttpClient } from '../client/http-client.ts';
import type { UpstreamResponse, WriteResponse } from '../client/upstream-call.ts';
import type { WriteCall } from '../client/write-request.ts';
import type { ReferenceResource } from '../../model/resource.ts';

/** The client, caller and budget to which resource functions are bound. */
export interface ResourceContext {
  readonly http: HttpClient;
  readonly caller: Caller;
  readonly budget: RequestBudget;
}

/** Where a request goes, and the function that sends it. */
export type RequestTarget = Pick<UpstreamCall, 'route' | 'path' | 'label' | 'changedDocument'>;

/** Sends a GET request that returns JSON. @throws {RestError} */
export function read(
  { http, caller, budget }: ResourceContext,
  target: RequestTarget,
): Promise<UpstreamResponse> {
  return http.read({ ...target, caller, budget, method: 'GET' });
}

/** Reads reference data, from the cache if the same caller has read it recently. */
export function readReference<T>(
  context: ResourceContext,
  resource: ReferenceResource,
  target: RequestTarget,
  translate: (response: UpstreamResponse) => T,
): Promise<T> {
  const load = (): Promise<UpstreamResponse> => read(context, target);
  return readCached(context, resource, target, target.path, load, translate);
}

/**
 * Returns the cached value of a key, or loads, translates and caches it.
 *
 * @param target names the read in the trace of the operation
 * @param key identifies one response for the caller; a key always has the same type of value
 */
export function readCached<T>(
  { http, caller, budget }: ResourceContext,
  resource: ReferenceResource,
  target: RequestTarget,
  key: string,
  load: () => Promise<UpstreamResponse>,
  translate: (response: UpstreamResponse) => T,
): Promise<T> {
  const { reference } = http;
  if (budget.trace === undefined) {
    return reference.read(resource, caller.key, key, load, translate, budget.tracing);
  }
  return traceCached({ ...target, budget, method: 'GET' }, load, (loader) =>
    reference.read(resource, caller.key, key, loader, translate, budget.tracing),
  );
}

/** Adds a read to the trace if it was served without `load`. */
async function traceCached<T>(
  call: Omit<UpstreamCall, 'caller'>,
  load: () => Promise<UpstreamResponse>,
  readWith: (loader: () => Promise<UpstreamResponse>) => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  let isCached = true;
  const value = await readWith(() => {
    isCached = false;
    return load();
  });
  if (isCached) recordCall(call, { startedAt, source: 'cache', status: null, attempt: 1 });
  return value;
}

/** Sends a write, and invalidates the resources that it can change, for every identity. */
export function write(
  { http, caller, budget }: ResourceContext,
  affected: readonly ReferenceResource[],
  call: RequestTarget & Pick<WriteCall, 'method' | 'json' | 'expectsBody'>,
): Promise<WriteResponse> {
  return http.write({ ...call, caller, budget }, affected);
}

/** How to request a file. */
export interface FileOptions {
  /** Value of the client's Range header. */
  readonly range?: string | undefined;
  /** Value of the client's If-Range header. */
  readonly ifRange?: string | undefined;
  /** True for a HEAD request: `body` is empty. */
  readonly head?: boolean;
}

/**
 * Opens a file. The specification does not define HEAD: if the DMS does not support it, a GET request is sent and its
 * body is discarded.
 * @throws {RestError} for every status except 200, 206 and 416
 */
export async function openFile(
  { http, caller, budget }: ResourceContext,
  { range, ifRange, head }: FileOptions,
  target: RequestTarget,
): Promise<Download> {
  const call = { ...target, caller, budget, range, ifRange };
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
