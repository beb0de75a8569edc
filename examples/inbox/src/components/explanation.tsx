import { CombinedGraphQLErrors } from '@apollo/client';
import { codesOf, MissingResultError } from '../client/failure.ts';
import { GatewayText } from './gateway-text.tsx';
import type { Label, Translate } from '../language/text.ts';

export interface Explanation {
  readonly text: string;
  /** The message of the gateway or the DMS, in English. Absent if it adds nothing to the text. */
  readonly detail?: string;
}

const texts: Readonly<Record<string, Label>> = {
  CONFLICT:
    'Someone else has changed the document, and nothing was written. Check it, and try again.',
  FORBIDDEN: 'You are not allowed to see this.',
  INTERNAL_SERVER_ERROR: 'An unexpected error occurred in the gateway.',
  OUTCOME_UNKNOWN:
    'The connection was lost. Check whether the change was made before you send it again.',
  RATE_LIMITED: 'There were too many requests. Wait a minute and try again.',
  SHUTTING_DOWN: 'The gateway is restarting. Try again.',
  UNAUTHENTICATED: 'Your sign-in has expired. Try again.',
  UPSTREAM_ERROR: 'The document service sent an invalid response.',
  UPSTREAM_TIMEOUT: 'The document service did not respond in time. Try again.',
  UPSTREAM_UNAVAILABLE: 'The document service is not available at the moment. Try again later.',
};

const unknownOperation = 'The gateway does not accept this version of the page. Load it again.';

const summaries: Readonly<Record<string, Label>> = {
  BAD_USER_INPUT: 'The request was rejected.',
  GRAPHQL_PARSE_FAILED: unknownOperation,
  GRAPHQL_VALIDATION_FAILED: unknownOperation,
  OPERATION_RESOLUTION_FAILURE: unknownOperation,
  PERSISTED_DOCUMENT_NOT_FOUND: unknownOperation,
  PERSISTED_QUERY_NOT_FOUND: unknownOperation,
  UPSTREAM_BUDGET_EXCEEDED: 'The request needs too many calls of the document service.',
};

export function explain(error: Error, t: Translate): Explanation {
  if (error instanceof MissingResultError) {
    return { text: t('The response of the gateway is incomplete. Try again.') };
  }
  const [code] = codesOf(error);
  if (code === undefined && !CombinedGraphQLErrors.is(error)) {
    return { text: t('The gateway cannot be reached. Check your connection and try again.') };
  }
  const text = texts[code ?? ''];
  if (text !== undefined) return { text: t(text) };
  const summary = summaries[code ?? ''] ?? 'The gateway reported an error.';
  return { text: t(summary), detail: error.message };
}

export function ExplanationText({ text, detail }: Explanation) {
  return (
    <>
      {text}
      {detail !== undefined && (
        <>
          {' '}
          <GatewayText text={detail} />
        </>
      )}
    </>
  );
}
