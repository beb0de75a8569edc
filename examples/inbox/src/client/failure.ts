import { CombinedGraphQLErrors, ServerError, type ApolloLink } from '@apollo/client';
import { graphQLResultHasProtocolErrors, PROTOCOL_ERRORS_SYMBOL } from '@apollo/client/errors';
import { SignInError } from '../../../ui/session.ts';

/**
 * Why a request can succeed later: the DMS or the gateway is not available, the gateway restarts, it limits requests, or
 * the user is signed out.
 */
export type Interruption = 'dms' | 'gateway' | 'restart' | 'rate-limit' | 'sign-in';

export class MissingResultError extends Error {}

const interruptions: Readonly<Record<string, Interruption>> = {
  UPSTREAM_UNAVAILABLE: 'dms',
  UPSTREAM_TIMEOUT: 'dms',
  SHUTTING_DOWN: 'restart',
  RATE_LIMITED: 'rate-limit',
  UNAUTHENTICATED: 'sign-in',
};

/** Codes after which a mutation may have been executed. */
export const uncertainCodes: readonly unknown[] = [
  'OUTCOME_UNKNOWN',
  'UPSTREAM_ERROR',
  'INTERNAL_SERVER_ERROR',
];

interface CodedError {
  readonly extensions?: Record<string, unknown>;
}

/**
 * Returns the codes of a failed request or of the errors of a result. Empty for a result without errors, and for an
 * error that the gateway did not send.
 */
export function codesOf(failure: unknown): readonly string[] {
  return errorsOf(failure).flatMap(({ extensions }) => {
    const code = extensions?.['code'];
    return typeof code === 'string' ? [code] : [];
  });
}

function errorsOf(failure: unknown): readonly CodedError[] {
  if (CombinedGraphQLErrors.is(failure)) return failure.errors;
  if (ServerError.is(failure)) return errorsOfBody(failure.bodyText);
  if (typeof failure !== 'object' || failure === null) return [];
  const result = failure as ApolloLink.Result;
  const incremental = (result as { incremental?: readonly ApolloLink.Result[] }).incremental ?? [];
  return [
    ...(result.errors ?? []),
    ...incremental.flatMap(({ errors }) => errors ?? []),
    ...(graphQLResultHasProtocolErrors(result)
      ? result.extensions[PROTOCOL_ERRORS_SYMBOL].errors
      : []),
  ];
}

function errorsOfBody(text: string): readonly CodedError[] {
  try {
    const body = JSON.parse(text) as { readonly errors?: readonly CodedError[] };
    return Array.isArray(body.errors) ? body.errors : [];
  } catch {
    return []; // such as the HTML of a proxy
  }
}

/** Returns why a request or a part of its result failed, or null if the same request would fail again. */
export function interruptionOf(failure: unknown): Interruption | null {
  for (const code of codesOf(failure)) {
    const interruption = interruptions[code];
    if (interruption !== undefined) return interruption;
  }
  if (failure instanceof SignInError) return 'sign-in';
  return isConnectionFailure(failure) ? 'gateway' : null;
}

function isConnectionFailure(failure: unknown): boolean {
  // `fetch` rejects with a TypeError. A proxy in front of the gateway answers without a code.
  if (ServerError.is(failure)) {
    return codesOf(failure).length === 0 && [502, 503, 504].includes(failure.statusCode);
  }
  return (
    failure instanceof TypeError ||
    (failure instanceof Error && failure.message === 'premature end of multipart body')
  );
}
