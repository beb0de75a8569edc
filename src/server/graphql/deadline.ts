import { errorCodes } from '../../model/error-codes.ts';
import { HttpError } from '../errors/http-error.ts';
import type { Operation } from './operation.ts';

/**
 * How long a result can come after the deadline of its operation, in milliseconds. The fields of an operation end at
 * its deadline, with errors at their paths.
 */
const graceMs = 1000;

/**
 * Waits for a result that code of a team takes part in: a hook of a plugin, or a resolver that a plugin has replaced,
 * may never return.
 *
 * @param leftMs returns the time until the deadline, which can have been extended; null if there is none any more
 * @param canHaveWritten returns whether a mutation has started. Default: false
 * @throws {HttpError} 504, or 502 if a mutation has started
 */
export async function beforeDeadline<T>(
  result: PromiseLike<T> | T,
  leftMs: () => number | null,
  canHaveWritten = (): boolean => false,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const check = (): void => {
    const left = leftMs();
    if (left === null) return;
    const ms = Math.ceil(left + graceMs);
    if (ms > 0) timer = setTimeout(check, ms);
    else late.reject(lateResult(canHaveWritten() ? 'OUTCOME_UNKNOWN' : 'UPSTREAM_TIMEOUT'));
  };
  check();
  try {
    return await Promise.race([result, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function lateResult(code: 'OUTCOME_UNKNOWN' | 'UPSTREAM_TIMEOUT'): HttpError {
  const advice =
    code === 'OUTCOME_UNKNOWN' ? ' Check whether the change was made before you retry.' : '';
  const message = `The request was not answered in time; REQUEST_TIMEOUT_MS limits the operation.${advice}`;
  const cause = new Error('A plugin or the execution of the operation did not return.');
  return new HttpError(errorCodes[code].status, code, message, { cause });
}

/**
 * The time until a request must have been answered. Null when its response has started, whose parts end with their
 * operation, and for a request with files, which have no deadline; its connection has one.
 *
 * @param timeoutMs time limit of a request whose operation has not started
 */
export function timeLeft({ budget, files, http }: Operation, timeoutMs: number) {
  if (http.res.headersSent || files !== null) return null;
  return (budget?.deadlineAt ?? http.startedAt + timeoutMs) - performance.now();
}
