import type { WriteOutcome } from '../../model/write-outcome.ts';
import type { WriteResponse } from '../client/upstream-call.ts';
import { xErrorMessage } from '../client/response-status.ts';
import { outcomeUnknown } from '../client/write-request.ts';

/**
 * Translates the response of a write; `read` builds the value of a 2xx response from its body.
 *
 * Roles of operations: REST spec, Authentication. The message is that of `X-Error` (REST spec, Errors 2 and 3), because
 * the shape of error bodies is not specified.
 * @throws {RestError} `OUTCOME_UNKNOWN` if `read` fails with `UPSTREAM_ERROR`
 */
export function writeOutcomeFromWire<T>(
  response: WriteResponse,
  requiredRole: string | null,
  read: (body: unknown, request: string) => T,
): WriteOutcome<T> {
  const { status, headers, request } = response;
  if (status < 300) {
    try {
      return { outcome: 'done', value: read(response.body, request) };
    } catch (error) {
      throw outcomeUnknown(request, status, error);
    }
  }
  const message = xErrorMessage(headers);
  if (status === 403) return { outcome: 'forbidden', message, requiredRole };
  if (status === 404) return { outcome: 'notFound', message };
  if (status === 422) return { outcome: 'nothingChanged', message };
  return {
    outcome: 'rejected',
    message: message ?? `The DMS rejected the request (status ${status}).`,
  };
}
