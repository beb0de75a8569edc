import type { ErrorCode } from '../../model/error-codes.ts';

const wait = 'Wait for some seconds, then call again.';
const report = 'Report the requestId: the operation cannot be executed.';
const doNotRepeat = 'Do not repeat the call. Report the requestId.';

export const advice: Readonly<Record<ErrorCode, string>> = {
  BAD_USER_INPUT: 'Correct the arguments as the message says, then call again.',
  UNAUTHENTICATED: 'Stop. The user must sign in again.',
  FORBIDDEN: 'Stop. The user is not allowed to do this.',
  NOT_FOUND: 'Check the ID, for example with a list or a search.',
  CONFLICT: 'Read the object again and decide whether the change still applies.',
  GRAPHQL_PARSE_FAILED: report,
  GRAPHQL_VALIDATION_FAILED: report,
  OPERATION_RESOLUTION_FAILURE: report,
  PERSISTED_QUERY_NOT_FOUND: report,
  PERSISTED_DOCUMENT_NOT_FOUND: report,
  UPSTREAM_UNAVAILABLE: wait,
  UPSTREAM_TIMEOUT: wait,
  UPSTREAM_ERROR: doNotRepeat,
  OUTCOME_UNKNOWN:
    'Never repeat this call: the change may have been made. Read the object and show the user its state.',
  UNREADABLE_VALUE: 'Do not repeat the call. `values` of the document has the text.',
  UPSTREAM_BUDGET_EXCEEDED: 'Ask for fewer items, then call again.',
  RATE_LIMITED: 'Wait for a minute, then call again.',
  SHUTTING_DOWN: wait,
  INTERNAL_SERVER_ERROR: doNotRepeat,
};
