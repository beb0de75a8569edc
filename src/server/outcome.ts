import type {
  ExecutionResult,
  FormattedExecutionResult,
  GraphQLError,
  GraphQLErrorExtensions,
  GraphQLFormattedError,
} from 'graphql';
import type { MediaType } from './accept.ts';
import { overloadOf, toClientError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import type { Log } from './log.ts';

const mostLogged = 10;
/** More help nobody, and each costs time and a part of the answer. */
const maxErrors = 100;

/** An answer as it goes out. */
export interface Outcome {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: FormattedExecutionResult;
}

/**
 * The last door: every error becomes what a client may see, its cause goes to the log once, and the upstream
 * calls are shown where they were asked for.
 */
export function outcomeOf(
  result: ExecutionResult,
  exchange: Exchange,
  log: Log,
  mediaType: MediaType,
): Outcome {
  const { data, errors } = result;
  const trace = exchange.operation?.trace;
  if (errors === undefined && trace === undefined) {
    return { status: 200, headers: {}, answer: result as FormattedExecutionResult };
  }
  const told = errors === undefined ? noErrors : errorsForClient(result, exchange, log, mediaType);
  return {
    status: told.status,
    headers: told.headers,
    answer: {
      ...(errors && { errors: told.errors }),
      ...(data !== undefined && { data }),
      ...(trace && { extensions: { upstream: trace } }),
    },
  };
}

interface ToldErrors {
  readonly errors: readonly GraphQLFormattedError[];
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

const noErrors: ToldErrors = { errors: [], status: 200, headers: {} };

function errorsForClient(
  { data, errors = [] }: ExecutionResult,
  exchange: Exchange,
  log: Log,
  mediaType: MediaType,
): ToldErrors {
  const causes = new Set<unknown>();
  const answered = data !== undefined && !(data === null && isOverloaded(errors, exchange));
  let status = 200;
  let headers = {};
  const told = errors.slice(0, maxErrors).map((one) => {
    const { error, http, cause } = toClientError(one, exchange.id, answered);
    if (cause !== null) causes.add(cause);
    if (http !== null && !(http.spec && mediaType === 'application/json')) {
      status = Math.max(status, http.status);
      headers = { ...headers, ...http.headers };
    }
    return { ...error, extensions: truthful(error.extensions, one, exchange) };
  });
  const code: unknown = told[0]?.extensions['code'];
  if (typeof code === 'string') exchange.outcome = code;
  if (!exchange.isAbandoned) logCauses(causes, exchange, log);
  if (errors.length > maxErrors) told.push(closingError(errors, exchange));
  return { errors: told, status, headers };
}

/**
 * Whether nothing came of the request because no connection was free: then HTTP says so too (503, Retry-After), for
 * whoever sends it again without reading the answer. So a mutation counts only if its one call was the write itself.
 */
function isOverloaded(errors: readonly GraphQLError[], exchange: Exchange): boolean {
  return errors.every((error) => {
    const overload = overloadOf(error);
    if (overload === null || exchange.operationType !== 'mutation') return overload !== null;
    return !overload.request.startsWith('GET ') && exchange.operation?.calls === 1;
  });
}

/** Counts the errors for which an answer has no place; its code is that of the first of them. */
function closingError(errors: readonly GraphQLError[], exchange: Exchange) {
  const { error } = toClientError(errors[maxErrors], exchange.id, true);
  const { code, requestId } = error.extensions;
  const message = `${errors.length - maxErrors} more errors are not shown.`;
  return { message, extensions: { code, requestId } };
}

/** Below a field of a mutation, only the reading of the answer failed: to send it again would do it again. */
function truthful(
  extensions: GraphQLErrorExtensions,
  { path }: GraphQLError,
  exchange: Exchange,
): GraphQLErrorExtensions {
  if (exchange.operationType !== 'mutation' || (path?.length ?? 0) < 2) return extensions;
  return extensions['retryable'] === true ? { ...extensions, retryable: false } : extensions;
}

/** One failed call can leave many holes, and one operation can fail in many places. */
function logCauses(causes: ReadonlySet<unknown>, exchange: Exchange, log: Log): void {
  for (const cause of [...causes].slice(0, mostLogged)) log.failure(exchange, cause);
  if (causes.size > mostLogged) log.failuresLeftOut(exchange, causes.size - mostLogged);
}
