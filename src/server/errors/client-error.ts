import {
  GraphQLError,
  type GraphQLErrorExtensions,
  type GraphQLFormattedError,
  type SourceLocation,
} from 'graphql';
import { RestError, type RestErrorCode } from '../../rest/client/rest-error.ts';
import type { ErrorCode } from './error-codes.ts';
import { HttpError } from './http-error.ts';

/** Messages for a failed upstream call, by code; never the text of the DMS. */
const messages: Readonly<Record<RestErrorCode, string>> = {
  UNAUTHENTICATED: 'The DMS rejected the credentials.',
  FORBIDDEN: 'The DMS does not allow this user to do this.',
  BAD_USER_INPUT: 'The DMS rejected an ID or a value of the request.',
  CONFLICT: 'The object was changed by someone else. Read it again before you retry.',
  NOT_FOUND: 'The object does not exist.',
  UPSTREAM_UNAVAILABLE: 'The DMS is not available. Try again later.',
  UPSTREAM_TIMEOUT: 'The DMS did not respond in time. Try again later.',
  UPSTREAM_ERROR: 'The DMS returned an invalid response.',
  OUTCOME_UNKNOWN:
    'The DMS did not confirm the change. Check whether it was made before you retry.',
  UPSTREAM_BUDGET_EXCEEDED:
    'The operation needs more DMS requests than MAX_UPSTREAM_CALLS or RATE_LIMIT allows. Request smaller pages or fewer fields.',
  RATE_LIMITED: 'This user has reached the limit of DMS requests per minute. Try again later.',
  CANCELLED: 'The upload stopped or was too slow.',
};

/** HTTP status of a failed call where the answer is not GraphQL. */
const statuses: Readonly<Record<RestErrorCode, number>> = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  BAD_USER_INPUT: 400,
  CONFLICT: 409,
  NOT_FOUND: 404,
  UPSTREAM_UNAVAILABLE: 503,
  UPSTREAM_TIMEOUT: 504,
  UPSTREAM_ERROR: 502,
  OUTCOME_UNKNOWN: 502,
  UPSTREAM_BUDGET_EXCEEDED: 503,
  RATE_LIMITED: 429,
  CANCELLED: 408,
};

const noHeaders = {};

/** `extensions` of an error as a client gets it. */
export interface ClientErrorExtensions extends GraphQLErrorExtensions {
  readonly code: string;
  /** Status that the DMS answered with; left out if it did not answer. */
  readonly status?: number;
  /** Whether sending the request again may help and can do no harm; left out if that is not known. */
  readonly retryable?: boolean;
  readonly requestId: string;
}

/**
 * The only place where `extensions` of a client's error are made: no code goes out without the id of the request, under
 * which the log has the cause.
 */
export function clientErrorExtensions(
  code: string,
  requestId: string,
  { status, retryable }: { readonly status?: number | null; readonly retryable?: boolean } = {},
): ClientErrorExtensions {
  return {
    code,
    ...(status != null && { status }),
    ...(retryable !== undefined && { retryable }),
    requestId,
  };
}

/** An error as a client may see it, and its cause for the log; the cause is null if the client sees all of it. */
export interface ClientError {
  readonly code: ErrorCode;
  readonly message: string;
  /** Status of the HTTP response. */
  readonly status: number;
  readonly extensions: ClientErrorExtensions;
  /** Headers of the HTTP response. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cause: unknown;
}

/** The client's form of any error but a GraphQLError with a code. What is neither a RestError nor an HttpError is masked. */
export function toClientError(error: unknown, requestId: string): ClientError {
  if (error instanceof RestError) {
    // Who is cancelled and still reads an answer stopped in the middle of an upload.
    const code = error.code === 'CANCELLED' ? 'BAD_USER_INPUT' : error.code;
    return clientErrorFrom(error, code, messages[error.code], requestId);
  }
  if (error instanceof HttpError) {
    const { code, message, status, headers } = error;
    return {
      code,
      message,
      status,
      extensions: clientErrorExtensions(code, requestId),
      headers,
      cause: error.cause === undefined ? null : error,
    };
  }
  const code = 'INTERNAL_SERVER_ERROR';
  const message = 'Unexpected error.';
  const extensions = clientErrorExtensions(code, requestId);
  return { code, message, status: 500, extensions, headers: noHeaders, cause: error };
}

function clientErrorFrom(
  error: RestError,
  code: Exclude<RestErrorCode, 'CANCELLED'>,
  message: string,
  requestId: string,
): ClientError {
  return {
    code,
    message,
    status: statuses[error.code],
    extensions: clientErrorExtensions(code, requestId, error),
    headers: retryHeaders(error),
    cause: error,
  };
}

/** What the DMS says in its own Retry-After is for the gateway alone. */
function retryHeaders(error: RestError): Readonly<Record<string, string>> {
  if (error.retryAfterMs === null || error.status !== null) return noHeaders;
  return { 'retry-after': String(Math.ceil(error.retryAfterMs / 1000)) };
}

/**
 * The failure of a call for which no connection was free, or which the rate limit refused: it was not sent, and may be
 * later. Else null.
 */
export function overloadError(error: unknown): RestError | null {
  const root = rootCause(error);
  if (!(root instanceof RestError) || root.status !== null) return null;
  return root.retryAfterMs === null ? null : root;
}

/** An error as it stands in an answer, what it says of the HTTP answer, and what the log should have of it. */
interface FormattedError {
  readonly error: GraphQLFormattedError & { readonly extensions: ClientErrorExtensions };
  /** Null where `data` goes out with it. */
  readonly http: HttpExtensions | null;
  /** Null if the client sees all of it. */
  readonly cause: unknown;
}

/** What an error without data says of the HTTP answer; `spec`: only for the media type `application/graphql-response+json`. */
export interface HttpExtensions {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly spec?: boolean;
}

/**
 * The error that a client gets instead of `error`, with `cause` for the log. A GraphQLError that was given a
 * code where it was made keeps its message; whatever else was thrown, executors' own errors included, is masked.
 * A resolver whose write is done when a read after it fails says so itself (`isDone`); asking again would
 * write again.
 * `hasData` is whether `data` goes out with it: without data the HTTP status shows the error too.
 */
export function formatError(error: unknown, requestId: string, hasData: boolean): FormattedError {
  const root = rootCause(error);
  if (error instanceof GraphQLError && root instanceof GraphQLError) {
    const code = codeForClient(root);
    if (code !== null) return formatCodedError(error, code, requestId, hasData);
  }
  const { message, status, extensions, headers, cause } = clientErrorInGraphQL(root, requestId);
  const isDone = error instanceof GraphQLError && error.extensions['isDone'] === true;
  return {
    error: {
      message: isDone ? error.message : message,
      ...locationAndPath(error),
      extensions: isDone ? { ...extensions, retryable: false } : extensions,
    },
    http: hasData ? null : { status, headers },
    cause,
  };
}

/** A read that finds nothing is null before it gets here: anything else is not what the DMS should say. */
function clientErrorInGraphQL(error: unknown, requestId: string): ClientError {
  if (!(error instanceof RestError && error.code === 'NOT_FOUND'))
    return toClientError(error, requestId);
  return clientErrorFrom(error, 'UPSTREAM_ERROR', messages.UPSTREAM_ERROR, requestId);
}

/** GraphQL repeats the client's own values in what it says of them, and these can be as long as a body. */
const maxMessageLength = 1000;

function formatCodedError(
  error: GraphQLError,
  code: string,
  requestId: string,
  hasData: boolean,
): FormattedError {
  const { message } = error;
  return {
    error: {
      message:
        message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message,
      ...locationAndPath(error),
      extensions: clientErrorExtensions(code, requestId),
    },
    http: hasData ? null : httpOf(error),
    cause: null,
  };
}

/** Parameters that Yoga refuses are no GraphQL request at all: the HTTP status shows them under any media type. */
function httpOf({ extensions }: GraphQLError): HttpExtensions {
  const http = (extensions['http'] as HttpExtensions | undefined) ?? { status: 400, spec: true };
  return extensions['code'] === 'BAD_REQUEST' ? { ...http, spec: false } : http;
}

/** The code of an error that was made for a client; null for any other. Yoga has one of its own for bad parameters. */
function codeForClient({ extensions }: GraphQLError): string | null {
  const { code } = extensions;
  if (typeof code !== 'string' || code === 'INTERNAL_SERVER_ERROR') return null;
  return code === 'BAD_REQUEST' ? 'BAD_USER_INPUT' : code;
}

/** What was thrown in the first place: executors wrap it, some more than once. */
function rootCause(error: unknown): unknown {
  let root = error;
  while (root instanceof GraphQLError && root.originalError) root = root.originalError;
  return root;
}

function locationAndPath(error: unknown): Pick<GraphQLFormattedError, 'locations' | 'path'> {
  if (!(error instanceof GraphQLError)) return {};
  const { path } = error;
  const locations = locationsOf(error);
  return { ...(locations && { locations }), ...(path && { path }) };
}

/** From the tokens, which know their lines: the text that positions count in is not kept (use-query-documents.ts). */
function locationsOf({ nodes, locations }: GraphQLError): readonly SourceLocation[] | undefined {
  const found = nodes?.flatMap(({ loc }) => {
    if (loc === undefined) return [];
    const { line, column } = loc.startToken;
    return [{ line, column }];
  });
  return found === undefined || found.length === 0 ? locations : found;
}
