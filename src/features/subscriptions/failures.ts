import type { RestErrorCode } from '../../model/error-codes.ts';

/**
 * What becomes of a subscription if a call to the DMS fails. `end`: every later poll with the same credentials would fail
 * too. `retry`: its event is delivered after a later poll. `send`: the error is sent, and the next event follows.
 */
export const failureEffects: Readonly<Record<RestErrorCode, 'end' | 'retry' | 'send'>> = {
  BAD_USER_INPUT: 'end',
  UNAUTHENTICATED: 'end',
  FORBIDDEN: 'end',
  NOT_FOUND: 'send',
  CONFLICT: 'send',
  UPSTREAM_UNAVAILABLE: 'retry',
  UPSTREAM_TIMEOUT: 'retry',
  UPSTREAM_ERROR: 'retry',
  OUTCOME_UNKNOWN: 'send',
  UPSTREAM_BUDGET_EXCEEDED: 'send',
  RATE_LIMITED: 'retry',
  CANCELLED: 'send',
};
