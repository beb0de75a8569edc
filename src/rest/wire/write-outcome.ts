import type { WriteOutcome } from '../../model/write-outcome.ts';
import type { WriteResponse } from '../client/upstream.ts';
import { xErrorMessage } from '../client/response-status.ts';
import { orOutcomeUnknown } from '../client/write-request.ts';

/**
 * What the DMS's answer to a write means; `read` makes the value of a 2xx from its body.
 *
 * Roles per operation: REST spec, Authentication. `X-Error`: Errors, 2 and 3; where it is absent the message
 * says only that the request was refused, since the shape of error bodies is not shown.
 * @throws {RestError} `OUTCOME_UNKNOWN` where `read` finds nothing to make the value of
 */
export function writeOutcomeFromWire<T>(
  response: WriteResponse,
  requiredRole: string | null,
  read: (body: unknown, request: string) => T,
): WriteOutcome<T> {
  const { status, headers, request } = response;
  if (status < 300) {
    const value = orOutcomeUnknown(request, status, () => read(response.body, request));
    return { outcome: 'done', value };
  }
  if (status === 403) return { outcome: 'forbidden', requiredRole };
  if (status === 404) return { outcome: 'notFound' };
  if (status === 422) return { outcome: 'nothingChanged' };
  const message = xErrorMessage(headers) ?? `The DMS rejected the request (status ${status}).`;
  return { outcome: 'rejected', message };
}
