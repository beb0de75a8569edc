import { Readable } from 'node:stream';
import type { Download } from '../../model/transfer.ts';
import type {
  UpstreamCall,
  Caller,
  UpstreamResponse,
  WriteResponse,
} from '../client/upstream-call.ts';
import { pathSegment } from '../client/path.ts';
import { recordCall } from '../client/call-records.ts';
import type { RequestBudget } from '../client/resilience/request-budget.ts';
import { RestError } from '../client/rest-error.ts';
import type { HttpClient } from '../client/http-client.ts';
import type { WriteCall } from '../client/write-request.ts';
import { resources, type NodeType, type ReferenceResource } from '../../model/resource.ts';
import type { WriteOutcome } from '../../model/write-outcome.ts';
import { writeOutcomeFromWire } from '../wire/write-outcome.ts';

/** The client, caller and budget to which resource functions are bound. */
export interface ResourceContext {
  readonly http: HttpClient;
  readonly caller: Caller;
  readonly budget: RequestBudget;
}

/** Where a request goes, and the function that sends it. */
export type RequestTarget = Pick<UpstreamCall, 'route' | 'path' | 'label' | 'changedDocument'>;

/**
 * The target of a request without a query.
 *
 * @param ids take the places of the parameters of the route, such as `{id}`
 * @throws {RestError} `BAD_USER_INPUT` for an invalid ID
 */
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

/** Sends a GET request that returns JSON. @throws {RestError} */
export function read(
  { http, caller, budget }: ResourceContext,
  target: RequestTarget,
): Promise<UpstreamResponse> {
  return http.read({ ...target, caller, budget, method: 'GET' });
}

/** Reads one object of reference data, from the cache if the same caller has read it recently. */
export function readReference<T>(
  context: ResourceContext,
  resource: ReferenceResource,
  target: RequestTarget,
  fromWire: (body: unknown, request: string) => T,
): Promise<T> {
  const load = (): Promise<UpstreamResponse> => read(context, target);
  const translate = ({ body, request }: UpstreamResponse): T => fromWire(body, request);
  return readCached(context, resource, target, target.path, load, translate);
}

/**
 * Returns the cached value of a key, or loads, translates and caches it.
 *
 * @param target names the read in the call records of the operation
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
  if (budget.callRecords === undefined) {
    return reference.read(resource, caller.key, key, load, translate, budget);
  }
  return recordCached({ ...target, budget, method: 'GET' }, load, (loader) =>
    reference.read(resource, caller.key, key, loader, translate, budget),
  );
}

/** Records a read if it was served without `load`. */
async function recordCached<T>(
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

/**
 * Creates or changes an object of a type, which the response contains.
 *
 * @param requiredRole the role that the DMS requires
 */
export async function upsert<T>(
  context: ResourceContext,
  type: NodeType,
  target: RequestTarget,
  json: object,
  requiredRole: string,
  fromWire: (body: unknown, request: string) => T,
): Promise<WriteOutcome<T>> {
  const call = { ...target, method: 'POST', json, expectsBody: true } as const;
  const response = await write(context, resources[type].invalidates, call);
  return writeOutcomeFromWire(response, requiredRole, fromWire);
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
