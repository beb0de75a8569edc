import { useEffect, type ReactNode } from 'react';
import { useAnnounce } from '../../app/announcer.tsx';
import { focusPageHeading } from '../../app/page.tsx';
import { createStore, useStore } from '../../../../ui/store.ts';
import { useText } from '../../language/text.ts';
import { useSessionState } from '../session/session-context.tsx';

interface LateResult {
  readonly personId: string | null;
  readonly message: string;
  readonly failed: ReactNode;
  /** The document of a single action. */
  readonly documentId?: string;
}

const lateResult = createStore<LateResult | null>(null);

/** Shows an outcome above the current page, until the user closes it or another one replaces it. */
export function reportLateResult(result: LateResult): void {
  lateResult.set(result);
}

/** Removes the failure of an action on a document that has succeeded since. Without its ID: that of a bulk action. */
export function removeLateResult(documentId?: string): void {
  if (lateResult.get()?.documentId === documentId) lateResult.set(null);
}

export function LateResultNotice() {
  const t = useText();
  const announce = useAnnounce();
  const { personId } = useSessionState();
  const result = useStore(lateResult);
  const shown = result !== null && result.personId === personId ? result : null;
  useEffect(() => {
    if (shown !== null) announce(shown.message);
  }, [announce, shown]);
  if (shown === null) return null;
  const { message, failed } = shown;
  return (
    <section className="notice notice-error row" aria-label={t('Earlier action')}>
      <p>{message}</p>
      {failed}
      <button
        type="button"
        className="button"
        onClick={() => {
          focusPageHeading();
          lateResult.set(null);
        }}
      >
        {t('Close')}
      </button>
    </section>
  );
}
