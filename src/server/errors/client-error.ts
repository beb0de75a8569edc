import {
  type GraphQLError,
  type GraphQLErrorExtensions,
  type GraphQLFormattedError,
  type SourceLocation,
} from 'graphql';
import { errorCodes, type ErrorCode, type RestErrorCode } from '../../model/error-codes.ts';
import { RestError } from '../../rest/index.ts';
import { isGraphQLError } from '../../schema/graphql-error.ts';
import { HttpError } from './http-error.ts';

const noHeaders = {};

export interface ClientErrorExtensions extends GraphQLErrorExtensions {
  readonly code: string;
  readonly status?: number;
  readonly retryable?: boolean;
  readonly requestId: string;
  readonly createdId?: string;
}

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

export interface ClientError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly status: number;
  readonly extensions: ClientErrorExtensions;
  readonly headers: Readonly<Record<string, string>>;
  readonly cause: unknown;
}

export function toClientError(error: unknown, requestId: string): ClientError {
  if (error instanceof RestError) return fromRestError(error, error.code, requestId);
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
  const { status, message } = errorCodes[code];
  const extensions = clientErrorExtensions(code, requestId);
  const cause = error ?? new TypeError(`${String(error)} was thrown`); // it would not be logged
  return { code, message, status, extensions, headers: noHeaders, cause };
}

function fromRestError(error: RestError, code: RestErrorCode, requestId: string): ClientError {
  const { status, message } = errorCodes[code];
  // A client that receives a cancellation error has stopped sending an upload. Other cancelled clients have
  // disconnected.
  const shownCode = code === 'CANCELLED' ? 'BAD_USER_INPUT' : code;
  // The gateway rejected the value itself, before it sent a call.
  const isOwn = code === 'BAD_USER_INPUT' && error.status === null && error.expected !== null;
  return {
    code: shownCode,
    message: isOwn ? `The request contains an invalid value: expected ${error.expected}.` : message,
    status,
    extensions: clientErrorExtensions(shownCode, requestId, error),
    headers: retryHeaders(error),
    cause: error,
  };
}

function retryHeaders(error: RestError): Readonly<Record<string, string>> {
  if (error.retryAfterMs === null || error.status !== null) return noHeaders;
  return { 'retry-after': String(Math.ceil(error.retryAfterMs / 1000)) };
}

/**
 * Returns the error of a call that was not sent because no connection was available or RATE_LIMIT was reached.
 * Otherwise null.
 */
export function overloadError(error: unknown): RestError | null {
  const root = rootCause(error);
  if (!(root instanceof RestError) || root.status !== null) return null;
  return root.retryAfterMs === null ? null : root;
}

interface FormattedError {
  readonly error: GraphQLFormattedError & { readonly extensions: ClientErrorExtensions };
  readonly http: HttpExtensions | null;
  readonly cause: unknown;
}

export interface HttpExtensions {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly spec?: boolean;
}

/**
 * Converts an error to the one that a client receives, with `cause` for the log. A GraphQLError keeps its message if
 * it was made for clients: it has a code, or a status as errors of Yoga's plugins have it, or no operation has been
 * executed. Every other error is masked, including those of the executors.
 *
 * A resolver gives an error `createdId` if its write was executed and a later read failed. Such an error is not
 * retryable, because a retry would write again.
 */
export function formatError(
  error: unknown,
  requestId: string,
  hasData: boolean,
  isExecuted = true,
): FormattedError {
  const root = rootCause(error);
  if (isGraphQLError(error) && isGraphQLError(root)) {
    const code = codeForClient(root, isExecuted);
    if (code !== null) return formatCodedError(error, code, requestId, hasData);
  }
  const { message, status, extensions, headers, cause } = clientErrorInGraphQL(root, requestId);
  const created = createdBy(error);
  return {
    error: {
      message: created === null ? message : (error as GraphQLError).message,
      ...locationAndPath(error),
      extensions: { ...extensions, ...created },
    },
    http: hasData ? null : { status, headers },
    cause,
  };
}

function createdBy(error: unknown): Pick<ClientErrorExtensions, 'createdId' | 'retryable'> | null {
  const createdId = isGraphQLError(error) ? error.extensions['createdId'] : undefined;
  return typeof createdId === 'string' ? { createdId, retryable: false } : null;
}

/**
 * Reads return null if an object does not exist. A NOT_FOUND that reaches this function is therefore an unexpected
 * response of the DMS.
 */
function clientErrorInGraphQL(error: unknown, requestId: string): ClientError {
  return error instanceof RestError && error.code === 'NOT_FOUND'
    ? fromRestError(error, 'UPSTREAM_ERROR', requestId)
    : toClientError(error, requestId);
}

const maxMessageLength = 1000;

function formatCodedError(
  error: GraphQLError,
  code: string,
  requestId: string,
  hasData: boolean,
): FormattedError {
  const { message } = error;
  const http = httpOf(error, code);
  return {
    error: {
      message:
        message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message,
      ...locationAndPath(error),
      extensions: { ...clientErrorExtensions(code, requestId), ...createdBy(error) },
    },
    http: hasData ? null : http,
    cause: code === 'INTERNAL_SERVER_ERROR' ? error : null,
  };
}

function httpOf({ extensions }: GraphQLError, code: string): HttpExtensions {
  const status = Object.hasOwn(errorCodes, code) ? errorCodes[code as ErrorCode].status : 400;
  const http = givenHttp(extensions) ?? { status, spec: true };
  switch (extensions['code']) {
    case 'BAD_REQUEST': // invalid parameters: not a GraphQL request
      return { ...http, spec: false };
    case 'OPERATION_RESOLUTION_FAILURE':
      return { ...http, spec: true };
    default:
      return http;
  }
}

function givenHttp({ http }: GraphQLErrorExtensions): HttpExtensions | null {
  const { status, headers, spec }: Partial<HttpExtensions> = Object(http);
  if (!Number.isInteger(status) || status! < 200 || status! > 599) return null;
  const named = Object.entries(Object(headers) as object).map(([name, value]) => [
    name.toLowerCase(),
    String(value),
  ]);
  return { status: status!, headers: Object.fromEntries(named), spec: spec === true };
}

function codeForClient({ extensions, path }: GraphQLError, isExecuted: boolean): string | null {
  const { code, unexpected } = extensions;
  if (code === 'BAD_REQUEST') return 'BAD_USER_INPUT';
  if (typeof code === 'string') return code === 'INTERNAL_SERVER_ERROR' ? null : code;
  const http = givenHttp(extensions);
  if (http !== null) return codeOfStatus(http.status);
  // Yoga marks what is not an error with `unexpected`.
  return isExecuted || path !== undefined || unexpected === true ? null : 'BAD_USER_INPUT';
}

function codeOfStatus(status: number): ErrorCode {
  if (status < 400) return 'BAD_USER_INPUT';
  const codes = Object.keys(errorCodes) as ErrorCode[];
  const found = codes.find((one) => errorCodes[one].isPublic && errorCodes[one].status === status);
  return found ?? (status < 500 ? 'BAD_USER_INPUT' : 'INTERNAL_SERVER_ERROR');
}

const maxWraps = 10; // an error of a team can contain itself

export function rootCause(error: unknown): unknown {
  let root = error;
  for (let wraps = 0; wraps < maxWraps && isGraphQLError(root); wraps += 1) {
    if (!root.originalError) break;
    root = root.originalError;
  }
  return root;
}

function locationAndPath(error: unknown): Pick<GraphQLFormattedError, 'locations' | 'path'> {
  if (!isGraphQLError(error)) return {};
  const { path } = error;
  const locations = locationsOf(error);
  return { ...(locations && { locations }), ...(path && { path }) };
}

/**
 * Locations from the tokens, which contain their lines. The source text, from which graphql-js computes them, is not
 * kept (use-query-documents.ts).
 */
function locationsOf({ nodes, locations }: GraphQLError): readonly SourceLocation[] | undefined {
  const found = nodes?.flatMap(({ loc }) => {
    if (loc === undefined) return [];
    const { line, column } = loc.startToken;
    return [{ line, column }];
  });
  return found === undefined || found.length === 0 ? locations : found;
}
