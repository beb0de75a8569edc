/**
 * Every `extensions.code` that a client can get. docs/errors.md explains them in the same order; a test compares the
 * two lists.
 */
export const errorCodes = [
  'BAD_USER_INPUT',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_DOCUMENT_NOT_FOUND',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_ERROR',
  'OUTCOME_UNKNOWN',
  'UPSTREAM_BUDGET_EXCEEDED',
  'RATE_LIMITED',
  'SHUTTING_DOWN',
  'INTERNAL_SERVER_ERROR',
] as const;

/** One of the values of `extensions.code`. */
export type ErrorCode = (typeof errorCodes)[number];
