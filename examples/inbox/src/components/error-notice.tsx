import { focusPageHeading } from '../app/page.tsx';
import { codesOf, interruptionOf } from '../client/failure.ts';
import { useText, type Label } from '../language/text.ts';
import { explain, ExplanationText } from './explanation.tsx';
import { TemporaryButton } from './temporary-button.tsx';

interface ErrorNoticeProps {
  readonly error: Error;
  /** What failed, such as "The documents cannot be shown." */
  readonly title: string;
  /** Called by the button. Without it, and after a query that is not allowed, there is no button. */
  readonly onAction?: () => void;
  readonly actionLabel?: Label;
  readonly onFocusLost?: () => void;
}

/**
 * An error of a query, explained by its code, with a button that does something about it. While the DMS or the gateway is
 * not available, the banner explains that once for the whole page.
 */
export function ErrorNotice({
  error,
  title,
  onAction,
  actionLabel = 'Try again',
  onFocusLost = focusPageHeading,
}: ErrorNoticeProps) {
  const t = useText();
  // The banner says why, and tries again.
  if (interruptionOf(error) !== null) return <p className="empty">{title}</p>;
  return (
    <div role="alert" className="notice notice-error stack-small">
      <strong>{title}</strong>
      <p>
        <ExplanationText {...explain(error, t)} />
      </p>
      {onAction && !codesOf(error).includes('FORBIDDEN') && (
        <div>
          <TemporaryButton onClick={onAction} onFocusLost={onFocusLost}>
            {t(actionLabel)}
          </TemporaryButton>
        </div>
      )}
    </div>
  );
}
