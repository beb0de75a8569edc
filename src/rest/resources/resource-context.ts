import { Readable } from 'node:stream';
import type { Download } from '../../model/transfer.ts';
import type { Call } from '../client/upstream-call.ts';
import type { Caller, Operation } from '../client/resilience/request-budget.ts';
import { RestError } from '../client/rest-error.ts';
import type { Http } from '../client/http-client.ts';
import type { Answer, WriteAnswer } from '../client/upstream.ts';
import type { WriteCall } from '../client/write-request.ts';
import type { ReferenceNoun } from '../client/reference-cache.ts';

/** What every endpoint is bound to. */
export interface Endpoint {
  readonly http: Http;
  readonly caller: Caller;
  readonly operation: Operation;
}

export type Target = Pick<Call, 'route' | 'path' | 'why'>;

export function read({ http, caller, operation }: Endpoint, target: Target): Promise<Answer> {
  return http.read({ ...target, caller, operation, method: 'GET' });
}

/** Reads reference data: from memory where the same caller asked for it a short while ago. */
export function readReference<T>(
  endpoint: Endpoint,
  noun: ReferenceNoun,
  target: Target,
  translate: (answer: Answer) => T,
): Promise<T> {
  const { http, caller } = endpoint;
  const load = (): Promise<Answer> => read(endpoint, target);
  return http.reference.read(noun, caller.key, target.path, load, translate);
}

/** Writes, and forgets the nouns that it may have changed, for every identity. */
export function write(
  { http, caller, operation }: Endpoint,
  touched: readonly ReferenceNoun[],
  call: Target & Pick<WriteCall, 'method' | 'json' | 'bodyWanted'>,
): Promise<WriteAnswer> {
  return http.write({ ...call, caller, operation }, touched);
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
  { http, caller, operation }: Endpoint,
  { range, ifRange, head }: FileOptions,
  target: Target,
): Promise<Download> {
  const call = { ...target, caller, operation, range, ifRange };
  if (!head) return http.download({ ...call, method: 'GET' });
  try {
    return withoutBody(await http.download({ ...call, method: 'HEAD' }));
  } catch (error) {
    if (!(error instanceof RestError) || !refusesHead(error.status)) throw error;
  }
  return withoutBody(await http.download({ ...call, method: 'GET' }));
}

/** Ends the transfer here: who wants the head alone need not think of a body. */
function withoutBody(download: Download): Download {
  download.body.destroy();
  return { ...download, body: Readable.from([]) };
}

function refusesHead(status: number | null): boolean {
  return status === 404 || status === 405 || status === 501;
}
