import type { CallToolResult } from '@modelcontextprotocol/server';
import { errorCodes } from '../model/error-codes.ts';
import type { Tool } from './tools.ts';

/** Maximum size of the result of a tool, in bytes. It is sent as an object and as a text. */
export const maxResultBytes = 64 * 1024;

/** An error of a GraphQL response. */
interface ResultError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: {
    readonly code?: string;
    readonly retryable?: boolean;
    readonly requestId?: string;
  };
}

/**
 * Converts a GraphQL response to the result of a tool: `data` and, if there are any, `errors`, each with what the model
 * should do. It is an error if a root field failed; the failure of another field leaves the rest usable.
 */
export function toolResult(text: string, { isMutation }: Tool): CallToolResult {
  const { data, errors = [] } = JSON.parse(text) as {
    readonly data?: object | null;
    readonly errors?: readonly ResultError[];
  };
  const hasStarted = isMutation && data !== undefined;
  return resultOf(
    data ?? null,
    errors.map((error) => toolError(error, hasStarted)),
    errors.some(({ path = [] }) => path.length <= 1),
  );
}

/** The result of a call with wrong arguments, which was not executed. */
export function invalidArguments(message: string): CallToolResult {
  const error = { message, extensions: { code: 'BAD_USER_INPUT' } };
  return resultOf(null, [toolError(error, false)], true);
}

function resultOf(data: object | null, errors: readonly object[], isError: boolean) {
  const structuredContent = { data, ...(errors.length > 0 && { errors }) };
  // Clients without support for structured results read the text.
  const content = [{ type: 'text' as const, text: JSON.stringify(structuredContent) }];
  return { content, structuredContent, ...(isError && { isError }) };
}

const partlyDone =
  'Do not repeat the call: a part of it has been executed. Read the objects to see their state.';

/** @param hasStarted whether the operation is a mutation whose execution has started */
function toolError({ message, path, extensions = {} }: ResultError, hasStarted: boolean) {
  const { code = 'INTERNAL_SERVER_ERROR', requestId } = extensions;
  const known = Object.hasOwn(errorCodes, code) ? (code as keyof typeof errorCodes) : null;
  const { isRetryable, advice } = errorCodes[known ?? 'INTERNAL_SERVER_ERROR'];
  // Any other error of a mutation belongs to an item, or to what was read after the write.
  const isPart = hasStarted && path?.length !== 1 && code !== 'OUTCOME_UNKNOWN';
  return {
    message,
    code,
    retryable: !isPart && (extensions.retryable ?? isRetryable ?? false),
    action: isPart ? partlyDone : advice,
    ...(path && { path }),
    ...(requestId !== undefined && { requestId }),
  };
}
