import { CombinedGraphQLErrors } from '@apollo/client';
import { useEffectEvent, useLayoutEffect, useRef } from 'react';
import { focusPageHeading } from '../app/page.tsx';
import { codesOf, MissingResultError } from '../client/failure.ts';
import type { Label, Translate } from '../language/text.ts';
import { useText } from '../language/text.ts';

interface ErrorNoticeProps {
  readonly error: Error;
  /** What failed, such as "The documents cannot be shown." */
  readonly title: string;
  /** Called by the button. Without it, there is no button. */
  readonly onAction?: () => void;
  /** What the button does. Default: it tries again. */
  readonly actionLabel?: Label;
  /** Called if the button disappears while it has the focus. Default: the heading of the page receives the focus. */
  readonly onFocusLost?: () => void;
}

const explanations: Readonly<Record<string, Label>> = {
  FORBIDDEN: 'You are not allowed to see this.',
  OUTCOME_UNKNOWN:
    'The document service was interrupted. Check whether the change was made before you send it again.',
  RATE_LIMITED: 'There were too many requests. Wait a minute and try again.',
  SHUTTING_DOWN: 'The gateway is restarting. Try again.',
  UNAUTHENTICATED: 'Your sign-in has expired. Try again.',
  UPSTREAM_TIMEOUT: 'The document service did not respond in time. Try again.',
  UPSTREAM_UNAVAILABLE: 'The document service is not available at the moment. Try again later.',
};

/** An error of a query, explained by its code, with a button that does something about it. */
export function ErrorNotice({
  error,
  title,
  onAction,
  actionLabel = 'Try again',
  onFocusLost = focusPageHeading,
}: ErrorNoticeProps) {
  const t = useText();
  return (
    <div role="alert" className="notice notice-error stack-small">
      <strong>{title}</strong>
      <p>{explain(error, t)}</p>
      {onAction && (
        <div>
          <ActionButton label={actionLabel} onAction={onAction} onFocusLost={onFocusLost} />
        </div>
      )}
    </div>
  );
}

interface ActionButtonProps {
  readonly label: Label;
  readonly onAction: () => void;
  readonly onFocusLost: () => void;
}

/** Disappears when it is pressed, or when the query succeeds by itself. */
function ActionButton({ label, onAction, onFocusLost }: ActionButtonProps) {
  const t = useText();
  const button = useRef<HTMLButtonElement>(null);
  const moveFocus = useEffectEvent(onFocusLost);
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      if (document.activeElement === element) moveFocus();
    };
  }, []);
  return (
    <button ref={button} type="button" className="button" onClick={onAction}>
      {t(label)}
    </button>
  );
}

/** Explains why a mutation failed, and whether it can be sent again. */
export function explainMutation(error: Error, t: Translate): string {
  if (codesOf(error).includes('UNAUTHENTICATED')) {
    return t('Your sign-in had expired. Nothing was sent: send it again.');
  }
  // Anything else than an answer of the gateway, such as the HTML of a proxy or half of an answer, tells nothing.
  return CombinedGraphQLErrors.is(error) || codesOf(error).length > 0
    ? explain(error, t)
    : t('The connection was lost. Check whether the change was made before you send it again.');
}

/** Explains an error to the user. The message of an unknown code is in English. */
export function explain(error: Error, t: Translate): string {
  if (error instanceof MissingResultError) {
    return t('The response of the gateway is incomplete. Try again.');
  }
  const [code] = codesOf(error);
  const explanation = code === undefined ? undefined : explanations[code];
  if (explanation !== undefined) return t(explanation);
  return code !== undefined || CombinedGraphQLErrors.is(error)
    ? error.message
    : t('The gateway cannot be reached. Check your connection and try again.');
}
