import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { ReferenceResource } from '../../../model/resource.ts';
import type { RequestBudget } from '../limits/request-budget.ts';

/** The identity that sends a request to the DMS. */
export interface Caller {
  /**
   * Identifies credential, run-as user and forwarded headers together: callers with equal keys see the same data. Caches
   * and shared reads use it as a key. Never logged.
   */
  readonly key: string;
  /** As `key`, without the forwarded headers, which a client can vary. Limits count by it. Undefined: as `key`. */
  readonly userKey?: string;
  /** The headers of the client that the DMS receives, by their names in lower case. Undefined: none. */
  readonly forwarded?: Readonly<Record<string, string>>;
  /** Value of the run-as header. Null if the credential identifies the user by itself. */
  readonly runAs: string | null;
  /**
   * The Authorization header: of all calls, or a function that signs one call. `path` is relative to the base URL and
   * has no query. Null: calls have none.
   */
  readonly authorization: string | null | ((method: string, path: string) => Promise<string>);
  /** Called when the DMS answers a call with 401. The call is not repeated; later calls can use a new credential. */
  readonly onUnauthorized?: (method: string, path: string) => void;
  /** When the client's own credential expires, in ms since the epoch; undefined if the gateway does not verify it. */
  readonly expiresAtMs?: number;
}

/** A hash of the whole identity, for messages between processes. It contains no credential. */
export function callerDigest({ key }: Pick<Caller, 'key'>): string {
  return hash('sha256', key, 'base64url');
}

/** Identifies credential and run-as user. Limits count by it. Never logged. */
export function userKeyOf({ key, userKey = key }: Pick<Caller, 'key' | 'userKey'>): string {
  return userKey;
}

/** One call to the DMS as a resource function describes it. */
export interface UpstreamCall {
  readonly caller: Caller;
  readonly budget: RequestBudget;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Path template, such as `/api/v2/person/{id}`. Metrics use it as a label. */
  readonly route: string;
  /** Path relative to the base URL, with the query. */
  readonly path: string;
  /** The calling function, such as `persons.get`. */
  readonly label: string;
  /** Set for a write to a document: its ID, or null if the write creates it. */
  readonly changedDocument?: string | null;
}

/** Method and path for logs and errors, at most 500 characters long. */
export function requestLine({ method, path }: Pick<UpstreamCall, 'method' | 'path'>): string {
  const line = `${method} ${path}`;
  return line.length > 500 ? `${line.slice(0, 500)}…` : line;
}

/** The path relative to the base URL, without the query. */
export function pathOf({ path }: UpstreamCall): string {
  const end = path.indexOf('?');
  return end < 0 ? path : path.slice(0, end);
}

/** The response of a read. */
export interface UpstreamResponse {
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON, or text if the call requested it. For a write that expects no body or has status 4xx: null. */
  readonly body: unknown;
  /** Length of the body in bytes. */
  readonly bytes: number;
  /** As `requestLine`. */
  readonly request: string;
}

/** The response of a write, whose status can be 2xx, or 4xx if the DMS rejected the input. */
export interface WriteResponse extends UpstreamResponse {
  readonly status: number;
}

/** The data that a write may have changed. */
export interface WriteNotification {
  /** Reference data, of every identity. */
  readonly resources: readonly ReferenceResource[];
  /** The written document, or null. */
  readonly document: DocumentWrite | null;
}

/** A write to a document that may have been executed, on this process or on another one. */
export interface DocumentWrite {
  /** `callerDigest` of the caller that sent it, computed when it is read. */
  readonly caller: string;
  /** Full or short ID of the document. Null if the write created it. */
  readonly documentId: string | null;
}

/** Receives every document write that may have been executed. It must not throw. */
export type DocumentWriteListener = (write: DocumentWrite) => void;
