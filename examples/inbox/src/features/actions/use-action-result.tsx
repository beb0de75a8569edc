import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useAnnounce } from '../../app/announcer.tsx';
import { useIsShown } from '../../components/use-is-shown.ts';
import { useText } from '../../language/text.ts';
import { useSessionState } from '../session/session-context.tsx';
import { reportLateResult } from './late-result.tsx';
import { MutationReason, type MutationFailure } from './mutation-problem.tsx';

interface ActionResult {
  /** What the last action did. Null: no action succeeded, or the user has started another one. */
  readonly result: string | null;
  readonly clear: () => void;
  /** @param isVisible whether the user can still see the document */
  readonly succeed: (message: string, isVisible: boolean) => void;
  /** A failure of a form that is shown has no effect: the form says why. */
  readonly fail: (failure: MutationFailure) => void;
}

/** Holds what the last action on a document did. A result that arrives after the user has left is reported elsewhere. */
export function useActionResult(
  document: { readonly id: string; readonly shortId: string | null },
  onSuccess: () => void,
): ActionResult {
  const t = useText();
  const announce = useAnnounce();
  const navigate = useNavigate();
  const { personId } = useSessionState();
  const [result, setResult] = useState<string | null>(null);
  const isShown = useIsShown();

  const succeed = (message: string, isVisible: boolean): void => {
    if (!isShown.current) {
      reportLateResult({ personId, message, failed: null });
      return;
    }
    onSuccess();
    setResult(message);
    announce(message);
    if (!isVisible) void navigate('/app/views/inbox');
  };
  const fail = (failure: MutationFailure): void => {
    if (isShown.current) return;
    const { id, shortId } = document;
    const name = { document: shortId ?? t('Document') };
    const message = failure.problem
      ? t('{document}: the action failed.', name)
      : t('{document}: the action failed, or its outcome is unknown.', name);
    const path = `/app/documents/${encodeURIComponent(shortId ?? id)}`;
    reportLateResult({
      personId,
      message,
      failed: (
        <>
          <p>
            <MutationReason {...failure} />
          </p>
          <Link to={path}>{t('Show the document')}</Link>
        </>
      ),
    });
  };
  return { result, clear: () => setResult(null), succeed, fail };
}
