import { useApolloClient } from '@apollo/client/react';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { useAnnounce } from '../../app/announcer.tsx';
import { useFocusInvalid } from '../../components/use-focus-invalid.ts';
import { useUnsavedGuard } from '../../components/unsaved-guard.tsx';
import { phaseActions, responseActions } from '../../domain/workflow.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import type { PhaseAction, ResponseAction } from '../../gql/graphql.ts';
import { useText } from '../../language/text.ts';
import { useCheckTexts } from '../fields/field-values.ts';
import { noAttempt } from '../fields/value-fields.tsx';
import { useKeys } from '../keyboard/keyboard.ts';
import type { DocumentUpdate } from '../live/use-document-updates.ts';
import { useSessionState } from '../session/session-context.tsx';
import { ActionButtons } from './action-buttons.tsx';
import { ActionPanel } from './action-form.tsx';
import { useIsDelayed, useIsSettled } from './delayed-actions.ts';
import { useIssues } from './mutation-problem.tsx';
import { outdatedId } from './outdated-notice.tsx';
import { sendAction } from './send-action.ts';
import { useAllowedActions } from './use-allowed-actions.ts';
import { useNextDocument } from './use-next-document.ts';
import { useReview, type ReviewState } from './use-review.ts';
import { useSendLater } from './use-send-later.tsx';
import './actions.css';

const documentActionsFragment = graphql(`
  fragment DocumentActions on Document {
    id
    shortId
    state
    status
    author {
      id
      systemId
    }
    meta {
      revision
    }
    ...Review
  }
`);

graphql(`
  fragment ChangedDocument on Document {
    id
    state
    status
    ...DocumentSummary
    ...DocumentHistory
    ...DocumentValues
    ...DocumentActions
  }
`);

interface DocumentActionsOptions {
  readonly document: FragmentType<typeof documentActionsFragment>;
  readonly routeId: string;
  readonly onReload: () => Promise<void>;
  readonly onEditingChange: (isEditing: boolean) => void;
  readonly update: DocumentUpdate | null;
}

/**
 * What the user can do with a document now. `bar` has a button for each action, and stays visible. `panel` has what belongs
 * to the action that was chosen, and why the last one failed. `review` has the values to edit: null if they cannot be.
 */
export function useDocumentActions(options: DocumentActionsOptions) {
  const { routeId, onReload, onEditingChange, update } = options;
  const { pathname, search } = useLocation();
  const t = useText();
  const announce = useAnnounce();
  const document = useFragment(documentActionsFragment, options.document);
  const { id, shortId, meta } = document;
  const revision = meta?.revision ?? null;
  const client = useApolloClient();
  const { personId } = useSessionState();
  const review = useReview(personId, document);
  const { form, comment, changed, attempt, failure, set } = review;
  const checkTexts = useCheckTexts();
  const bar = useRef<HTMLDivElement>(null);
  const focusBar = (): void => bar.current?.focus();
  const allowed = useAllowedActions(document, revision, changed.size > 0);
  const isDelayed = useIsDelayed(pathname);
  const isSettled = useIsSettled(!allowed.isLoading);
  const openNext = useNextDocument(routeId);
  const isEditing = review.isOpen && !isDelayed;
  useEffect(() => {
    onEditingChange(isEditing);
    return () => onEditingChange(false);
  }, [isEditing, onEditingChange]);
  const guard = useUnsavedGuard(review.hasEntries && !isDelayed, { onDiscard: () => set(null) });
  const issues = useIssues(failure?.problem ?? null);
  useFocusInvalid(failure ?? attempt, attempt.ownIssues.size + issues.size > 0);

  const target = { document: id, expectedRevision: revision };
  const later = useSendLater({
    id,
    name: shortId ?? t('Document'),
    path: pathname + search,
    onSettled: review.settle,
  });
  const cancel = (): void => {
    set(null);
    focusBar(); // what had the focus no longer exists
  };
  const respond = (chosen: ResponseAction): void => {
    if (!allowed.responses.includes(chosen)) return;
    const outdated = window.document.getElementById(outdatedId);
    if (outdated) return outdated.focus(); // the DMS would reject it
    const withEdits = chosen === 'APPROVE' && changed.size > 0;
    const action = withEdits ? 'APPROVE_WITH_EDITS' : chosen;
    const ownIssues = new Map(withEdits ? checkTexts(review.fields, changed) : []);
    if (action === 'DECLINE' && comment.trim() === '')
      ownIssues.set('content', t('Say why you decline it.'));
    if (ownIssues.size > 0) {
      set({ attempt: { ...noAttempt, ownIssues }, failure: null });
      return;
    }
    const edits = withEdits ? review.toInput() : { attempt: noAttempt, input: {} };
    set({ attempt: edits.attempt, failure: null });
    const content = comment.trim() === '' ? null : comment;
    guard.release();
    later(t(responseActions[action]), [id], { content, ...edits.input }, () =>
      sendAction(client, { response: { ...target, action, content, ...edits.input } }),
    );
    void openNext();
  };
  const move = (action: PhaseAction): void => {
    set(null);
    later(t(phaseActions[action]), [], action, () =>
      sendAction(client, { move: { ...target, action } }),
    );
  };
  useActionKeys(isSettled && !isDelayed, allowed.responses, review, respond);
  return {
    bar: (
      <div ref={bar} tabIndex={-1} role="group" aria-label={t('Actions')} className="action-bar">
        {isDelayed || allowed.isLoading || form !== null ? null : (
          <ActionButtons
            status={document.status}
            allowed={allowed}
            changes={changed.size}
            isDisabled={!isSettled}
            onRespond={respond}
            onMove={move}
            onOpen={(form) => set({ form })}
            onCancel={() => {
              announce(t('The changes are discarded.'));
              cancel();
            }}
          />
        )}
      </div>
    ),
    panel: (
      <>
        {guard.dialog}
        {!isDelayed && (
          <ActionPanel
            review={review}
            issues={issues}
            moves={allowed.moves}
            responses={allowed.responses}
            revision={revision}
            update={isEditing ? update : null}
            onReload={onReload}
            onRespond={respond}
            onMove={move}
            onFocusLost={focusBar}
          />
        )}
      </>
    ),
    review:
      allowed.edits && !isDelayed && form !== 'DECLINE'
        ? { ...review, attempt: { ...attempt, issues }, onDone: focusBar }
        : null,
  };
}

function useActionKeys(
  isEnabled: boolean,
  responses: readonly ResponseAction[],
  { form, set }: ReviewState,
  onRespond: (action: ResponseAction) => void,
): void {
  const [usual] = responses;
  useKeys(
    usual === undefined || !isEnabled
      ? {}
      : {
          a: () => onRespond(form === null || form === 'move' ? usual : form),
          ...(responses.includes('DECLINE') && { d: () => set({ form: 'DECLINE' }) }),
        },
  );
}
