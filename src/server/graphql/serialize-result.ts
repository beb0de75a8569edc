import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql';
import { RestError } from '../../rest/index.ts';
import { checkJsonSize } from '../../schema/json-size.ts';
import { clientErrorExtensions, toClientError, type ClientError } from '../errors/client-error.ts';
import type { Log } from '../telemetry/log.ts';
import type { Operation } from './operation.ts';

export function serializeResult(
  result: FormattedExecutionResult,
  operation: Operation,
  log: Log,
  maxBytes: number,
): string {
  const serialized = serialize(result, operation, log, maxBytes);
  return typeof serialized === 'string'
    ? serialized
    : JSON.stringify({ ...serialized, data: null });
}

export interface SerializedPart {
  readonly text: string;
  /**
   * Whether the stream ends with this part. Parts that follow a replaced one would refer to data that the client does
   * not have.
   */
  readonly isLast: boolean;
}

/**
 * Serializes a part. The limit applies to all parts of a query together, as to a complete response. In a subscription
 * it applies to each event, because they are independent.
 */
export function serializePart(
  part: FormattedExecutionResult,
  operation: Operation,
  log: Log,
  maxBytes: number,
  sentBytes: number,
): SerializedPart {
  const serialized = serialize(part, operation, log, maxBytes, sentBytes);
  if (typeof serialized === 'string') return { text: serialized, isLast: false };
  return operation.operationType === 'subscription'
    ? { text: JSON.stringify({ ...serialized, data: null }), isLast: false }
    : { text: JSON.stringify({ ...serialized, hasNext: false }), isLast: true };
}

interface ErrorResult {
  readonly errors: readonly GraphQLFormattedError[];
}

function serialize(
  value: object,
  operation: Operation,
  log: Log,
  maxBytes: number,
  sentBytes = 0,
): string | ErrorResult {
  // Aliases could multiply a long text so often that serializing it would exhaust the memory.
  const size = checkJsonSize(value, maxBytes - sentBytes);
  if (size === 'tooDeep') return errorResult(tooDeep(operation, log), operation);
  const text = size === 'fits' ? JSON.stringify(value) : null;
  if (text !== null && Buffer.byteLength(text) <= maxBytes - sentBytes) return text;
  const message = `The response is too large; MAX_RESPONSE_BYTES allows ${maxBytes} bytes. Request smaller pages or fewer fields.`;
  return errorResult({ code: 'BAD_USER_INPUT', message }, operation);
}

/** The error that replaces a response. A mutation remains executed even if its payload cannot be sent. */
function errorResult(
  { code, message }: Pick<ClientError, 'code' | 'message'>,
  operation: Operation,
): ErrorResult {
  const done = operation.canHaveWritten ? ' The mutation was executed: do not send it again.' : '';
  operation.http.outcome = code;
  const extensions = clientErrorExtensions(code, operation.http.id, { retryable: false });
  return { errors: [{ message: message + done, extensions }] };
}

function tooDeep(operation: Operation, log: Log): ClientError {
  const cause = new RestError('UPSTREAM_ERROR', null, {
    expected: 'JSON of the DMS with fewer levels of nesting',
  });
  log.failure(operation.http, cause);
  return toClientError(cause, operation.http.id);
}
