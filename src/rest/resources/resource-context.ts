import { Readable } from 'node:stream';
import type { Download } from '../../model/transfer.ts';
import type { UpstreamCall } from '../client/upstream-call.ts';
import type { Caller } from '../client/caller.ts';
import type { RequestBudget } from '../client/resilience/request-budget.ts';
import { RestError } from '../client/rest-error.ts';
import type { HttpClient } from '../client/http-client.ts';
import type { UpstreamResponse, WriteResponse } from '../client/upstream.ts';
import type { WriteCall } from '../client/write-request.ts';
import type { ReferenceResource } from '../client/reference-cache.ts';

/** What every endpoint is bound to. */
export interface ResourceContext {
  readonly http: HttpClient;
  readonly caller: Caller;
  readonly budget: RequestBudget;
}

export type RequestTarget = Pick<UpstreamCall, 'route' | 'path' | 'label' | 'changedDocument'>;

export function read(
  { http, caller, budget }: ResourceContext,
  target: RequestTarget,
): Promise<UpstreamResponse> {
  return http.read({ ...target, caller, budget, method: 'GET' });
}

/** Reads reference data: from memory where the same caller asked for it a short while ago. */
export function readReference<T>(
  context: ResourceContext,
  resource: ReferenceResource,
  target: RequestTarget,
  translate: (response: UpstreamResponse) => T,
): Promise<T> {
  const { http, caller } = context;
  const load = (): Promise<UpstreamResponse> => read(context, target);
  return http.reference.read(resource, caller.key, target.path, load, translate);
}

/** Writes, and invalidates the resources that it may have changed, for every identity. */
export function write(
  { http, caller, budget }: ResourceContext,
  affected: readonly ReferenceResource[],
  call: RequestTarget & Pick<WriteCall, 'method' | 'json' | 'expectsBody'>,
): Promise<WriteResponse> {
  return http.write({ ...call, caller, budget }, affected);
}

/** How a file is wanted. */
export interface FileOptions {
  /** Value of the client's Range header. */
  readonly range?: string | undefined;
  /** Value of the client's If-Range header. */
  readonly ifRange?: string | undefined;
  /** The head alone: `body` is empty. */
  readonly head?: boolean;
}

/**
 * Opens a file. The specification shows no HEAD: where the DMS does not know it, a GET is made and its body is not
 * taken.
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

/** Ends the transfer, so that the caller of a HEAD request has no body to read. */
function withoutBody(download: Download): Download {
  download.body.destroy();
  return { ...download, body: Readable.from([]) };
}

function isHeadUnsupported(status: number | null): boolean {
  return status === 404 || status === 405 || status === 501;
}
