import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql';
import { RestError } from '../../rest/client/rest-error.ts';
import { checkJsonSize } from '../../schema/json-size.ts';
import { clientErrorExtensions, toClientError } from '../errors/client-error.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import type { Log } from '../telemetry/log.ts';

/**
 * The text of an answer. One that is longer than MAX_RESPONSE_BYTES, or nested so deeply that it cannot be written,
 * is replaced by an error before it is written: a walk that counts takes a fraction of the time of writing, and none of
 * the memory.
 */
export function serializeResult(
  result: FormattedExecutionResult,
  exchange: HttpExchange,
  log: Log,
  maxBytes: number,
): string {
  const serialized = serialize(result, exchange, log, maxBytes);
  return typeof serialized === 'string'
    ? serialized
    : JSON.stringify({ ...serialized, data: null });
}

/** One part of a streamed result. */
export interface SerializedPart {
  readonly text: string;
  /** What would follow an error in place of a part belongs to nothing that the client has. */
  readonly isLast: boolean;
}

/** The text of a part, which is bounded like a whole answer; the events of a subscription do without each other. */
export function serializePart(
  part: FormattedExecutionResult,
  exchange: HttpExchange,
  log: Log,
  maxBytes: number,
): SerializedPart {
  const serialized = serialize(part, exchange, log, maxBytes);
  if (typeof serialized === 'string') return { text: serialized, isLast: false };
  return exchange.operationType === 'subscription'
    ? { text: JSON.stringify({ ...serialized, data: null }), isLast: false }
    : { text: JSON.stringify({ ...serialized, hasNext: false }), isLast: true };
}

interface ErrorResult {
  readonly errors: readonly GraphQLFormattedError[];
}

/** The text of a value that can be sent; else the error in its place. */
function serialize(
  value: object,
  exchange: HttpExchange,
  log: Log,
  maxBytes: number,
): string | ErrorResult {
  const fit = checkJsonSize(value, maxBytes);
  if (fit === 'tooDeep') return errorResult(tooDeep(exchange, log), exchange);
  if (fit === 'fits') {
    const text = JSON.stringify(value);
    // The walk counts characters, which UTF-8 and the escapes of JSON make longer.
    if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  }
  const message = `The response is too large; MAX_RESPONSE_BYTES allows ${maxBytes} bytes. Request smaller pages or fewer fields.`;
  return errorResult({ code: 'BAD_USER_INPUT', message }, exchange);
}

interface ReplacementError {
  readonly code: string;
  readonly message: string;
}

/** What a mutation did stays done, whether its payload can be shown or not. */
function errorResult({ code, message }: ReplacementError, exchange: HttpExchange): ErrorResult {
  const done =
    exchange.operationType === 'mutation'
      ? ' The mutation was executed: do not send it again.'
      : '';
  exchange.outcome = code;
  const extensions = clientErrorExtensions(code, exchange.id, { retryable: false });
  return { errors: [{ message: message + done, extensions }] };
}

function tooDeep(exchange: HttpExchange, log: Log): ReplacementError {
  const cause = new RestError('UPSTREAM_ERROR', 'the response', {
    expected: 'JSON of the DMS with fewer levels of nesting',
  });
  log.failure(exchange, cause);
  const { code, message } = toClientError(cause, exchange.id);
  return { code, message };
}
