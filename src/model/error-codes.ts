export interface ErrorCodeProperties {
  /** Whether clients can get it in `extensions.code`. docs/errors.md describes these codes, in the same order. */
  readonly isPublic: boolean;
  readonly isUpstream: boolean;
  /** HTTP status of an error without data, unless the error has a status of its own. */
  readonly status: number;
  /** Message for clients, which never contains text of the DMS. Null: each error has a message of its own. */
  readonly message: string | null;
  /** Whether repeating the request is safe and can help. Null: `extensions.retryable` is omitted. */
  readonly isRetryable: boolean | null;
  readonly isNotExecuted: boolean;
  readonly logLevel: 'info' | 'warn' | 'error';
}

const rejected = {
  isPublic: true,
  isUpstream: false,
  message: null,
  isRetryable: null,
  isNotExecuted: true,
  logLevel: 'info',
} as const;

export const errorCodes = {
  BAD_USER_INPUT: {
    isPublic: true,
    isUpstream: true,
    status: 400,
    message: 'The DMS rejected an ID or a value of the request.',
    isRetryable: false,
    isNotExecuted: true,
    logLevel: 'info',
  },
  UNAUTHENTICATED: {
    isPublic: true,
    isUpstream: true,
    status: 401,
    message: 'The DMS rejected the credentials.',
    isRetryable: false,
    isNotExecuted: true,
    logLevel: 'info',
  },
  FORBIDDEN: {
    isPublic: true,
    isUpstream: true,
    status: 403,
    message: 'The DMS does not allow this user to do this.',
    isRetryable: false,
    isNotExecuted: true,
    logLevel: 'info',
  },
  NOT_FOUND: {
    isPublic: true,
    isUpstream: true,
    status: 404,
    message: 'The object does not exist.',
    isRetryable: false,
    isNotExecuted: true,
    logLevel: 'info',
  },
  CONFLICT: {
    isPublic: true,
    isUpstream: true,
    status: 409,
    message: 'The object was changed after it was read. Read it again before you retry.',
    isRetryable: false,
    isNotExecuted: true,
    logLevel: 'info',
  },
  GRAPHQL_PARSE_FAILED: { ...rejected, status: 400 },
  GRAPHQL_VALIDATION_FAILED: { ...rejected, status: 400 },
  OPERATION_RESOLUTION_FAILURE: { ...rejected, status: 400 },
  PERSISTED_QUERY_NOT_FOUND: { ...rejected, status: 200 },
  PERSISTED_DOCUMENT_NOT_FOUND: { ...rejected, status: 400 },
  UPSTREAM_UNAVAILABLE: {
    isPublic: true,
    isUpstream: true,
    status: 503,
    message: 'The DMS is not available. Try again later.',
    isRetryable: true,
    isNotExecuted: true,
    logLevel: 'warn',
  },
  UPSTREAM_TIMEOUT: {
    isPublic: true,
    isUpstream: true,
    status: 504,
    message: 'The DMS did not respond in time. Try again later.',
    isRetryable: true,
    isNotExecuted: true,
    logLevel: 'warn',
  },
  UPSTREAM_ERROR: {
    isPublic: true,
    isUpstream: true,
    status: 502,
    message: 'The DMS returned an invalid response.',
    isRetryable: false,
    isNotExecuted: false,
    logLevel: 'warn',
  },
  OUTCOME_UNKNOWN: {
    isPublic: true,
    isUpstream: true,
    status: 502,
    message: 'The DMS did not confirm the change. Check whether it was made before you retry.',
    isRetryable: false,
    isNotExecuted: false,
    logLevel: 'warn',
  },
  // A value of a document does not have the type of its field.
  UNREADABLE_VALUE: {
    ...rejected,
    status: 502,
    isRetryable: false,
    isNotExecuted: false,
  },
  UPSTREAM_BUDGET_EXCEEDED: {
    isPublic: true,
    isUpstream: true,
    status: 503,
    message:
      'The operation needs more DMS requests than MAX_UPSTREAM_CALLS or RATE_LIMIT allows. Request smaller pages or fewer fields.',
    isRetryable: false,
    isNotExecuted: true,
    logLevel: 'warn',
  },
  RATE_LIMITED: {
    isPublic: true,
    isUpstream: true,
    status: 429,
    message: 'This user has reached the limit of DMS requests per minute. Try again later.',
    isRetryable: true,
    isNotExecuted: true,
    logLevel: 'info',
  },
  SHUTTING_DOWN: { ...rejected, status: 503 },
  INTERNAL_SERVER_ERROR: {
    isPublic: true,
    isUpstream: false,
    status: 500,
    message: 'Unexpected error.',
    isRetryable: null,
    isNotExecuted: false,
    logLevel: 'error',
  },
  // The client has disconnected or has stopped sending an upload. Only the latter gets an error: BAD_USER_INPUT.
  CANCELLED: {
    isPublic: false,
    isUpstream: true,
    status: 408,
    message: 'The upload stopped or was too slow.',
    isRetryable: false,
    isNotExecuted: true,
    logLevel: 'info',
  },
} as const satisfies Readonly<Record<string, ErrorCodeProperties>>;

type Code = keyof typeof errorCodes;

type CodesWith<Column extends keyof ErrorCodeProperties> = {
  [One in Code]: (typeof errorCodes)[One][Column] extends true ? One : never;
}[Code];

export type ErrorCode = CodesWith<'isPublic'>;

export type RestErrorCode = CodesWith<'isUpstream'>;
