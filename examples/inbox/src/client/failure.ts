import { CombinedGraphQLErrors, ServerError, type ApolloLink } from '@apollo/client';
import { graphQLResultHasProtocolErrors, PROTOCOL_ERRORS_SYMBOL } from '@apollo/client/errors';

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
  return [
    ...(result.errors ?? []),
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
