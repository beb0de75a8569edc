import { CombinedGraphQLErrors } from '@apollo/client';

interface ErrorNoticeProps {
  readonly error: Error;
  /** What failed, such as "The documents cannot be shown." */
  readonly title: string;
  readonly onRetry?: () => void;
}

const explanations: Readonly<Record<string, string>> = {
  FORBIDDEN: 'You are not allowed to see this.',
  RATE_LIMITED: 'There were too many requests. Wait a minute and try again.',
  UNAUTHENTICATED: 'You are not signed in, or your sign-in has expired.',
  UPSTREAM_TIMEOUT: 'The document service did not respond in time. Try again.',
  UPSTREAM_UNAVAILABLE: 'The document service is not available at the moment. Try again later.',
};

/** An error of a query, explained by its code, with a button to try again. */
export function ErrorNotice({ error, title, onRetry }: ErrorNoticeProps) {
  return (
    <div role="alert" className="notice notice-error stack-small">
      <strong>{title}</strong>
      <p>{explain(error)}</p>
      {onRetry && (
        <div>
          <button type="button" className="button" onClick={onRetry}>
            Try again
          </button>
        </div>
      )}
    </div>
  );
}

/** Returns `extensions.code` of the first error, or null if the error is not one of the gateway's. */
function codeOf(error: unknown): string | null {
  if (!CombinedGraphQLErrors.is(error)) return null;
  const code = error.errors[0]?.extensions?.['code'];
  return typeof code === 'string' ? code : null;
}

/** Explains an error to the user. */
export function explain(error: Error): string {
  const code = codeOf(error);
  if (code !== null) return explanations[code] ?? error.message;
  return CombinedGraphQLErrors.is(error)
    ? error.message
    : 'The gateway cannot be reached. Check your connection and try again.';
}
