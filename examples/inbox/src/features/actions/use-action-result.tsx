import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useAnnounce } from '../../app/announcer.tsx';
import { useIsShown } from '../../components/use-is-shown.ts';
import { useText } from '../../language/text.ts';
import { useSessionState } from '../session/session-context.tsx';
import { reportLateResult } from './late-result.tsx';
import { MutationReason, type MutationFailure } from './mutation-problem.tsx';
import type { ActionOutcome } from './send-action.ts';

interface ActionResult {
  /** What the last action did. Null: no action succeeded, or the user has started another one. */
  readonly result: string | null;
  readonly clear: () => void;
  /** Shows what an action of a form did, or elsewhere after the user has left. A form that is shown says why it failed. */
  readonly report: (label: string, outcome: ActionOutcome) => void;
  /** Reports elsewhere why an action failed. */
  readonly reportFailure: (failure: MutationFailure) => void;
}

/** Holds what the last action on a document did. @param name ID of the document, @param path of its page */
export function useActionResult(name: string, path: string, onSuccess: () => void): ActionResult {
  const t = useText();
  const announce = useAnnounce();
  const navigate = useNavigate();
  const { personId } = useSessionState();
  const [result, setResult] = useState<string | null>(null);
  const isShown = useIsShown();

  const reportFailure = (failure: MutationFailure): void => {
    const message = failure.problem
      ? t('{document}: the action failed.', { document: name })
      : t('{document}: the action failed, or its outcome is unknown.', { document: name });
    const failed = (
      <>
        <p>
          <MutationReason {...failure} />
        </p>
        <Link to={path}>{t('Show the document')}</Link>
      </>
    );
    reportLateResult({ personId, message, failed });
  };
  const report = (label: string, { failure, isVisible }: ActionOutcome): void => {
    const message = `${label}: ${name}`;
    if (failure) {
      if (!isShown.current) reportFailure(failure);
    } else if (isShown.current) {
      onSuccess();
      setResult(message);
      announce(message);
      if (!isVisible) void navigate('/app/views/inbox');
    } else reportLateResult({ personId, message, failed: null });
  };
  return { result, clear: () => setResult(null), report, reportFailure };
}
