import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useAnnounce } from '../../app/announcer.tsx';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { updateTexts, type DocumentUpdate } from '../live/use-document-updates.ts';
import { useSessionState } from '../session/session-context.tsx';
import { reportLateResult } from './late-result.tsx';
import { MoveForm } from './move-form.tsx';
import { PendingResponse } from './pending-response.tsx';
import { useText } from '../../language/text.ts';
import './actions.css';

const documentActionsFragment = graphql(`
  fragment DocumentActions on Document {
    id
    shortId
    ...RespondForm
    ...MoveForm
  }
`);

interface DocumentActionsProps {
  readonly document: FragmentType<typeof documentActionsFragment>;
  /** Reads the document again. */
  readonly onReload: () => Promise<void>;
  /** Called when a form opens or closes. */
  readonly onEditingChange: (isEditing: boolean) => void;
  /** What happened to the document since it was shown. */
  readonly update: DocumentUpdate | null;
}

/** What the user can do with a document: respond in its phase, or move it. One form is open at a time. */
export function DocumentActions({
  onReload,
  onEditingChange,
  update,
  ...props
}: DocumentActionsProps) {
  const t = useText();
  const document = useFragment(documentActionsFragment, props.document);
  const [openForm, setOpenForm] = useState<'respond' | 'move' | null>(null);
  const [result, setResult] = useState<string | null>(null);
  const announce = useAnnounce();
  const navigate = useNavigate();
  const { personId } = useSessionState();
  const isEditing = openForm !== null;
  /** The notice about a conflict offers the current version too. */
  const [hasConflict, setHasConflict] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const isOutdated = update === 'pending' || update === 'gone';
  useEffect(() => {
    onEditingChange(isEditing);
    return () => onEditingChange(false);
  }, [isEditing, onEditingChange]);

  const open = (form: 'respond' | 'move'): void => {
    setResult(null);
    setOpenForm(form);
    heading.current?.focus(); // the button that was pressed does not exist any more
  };
  const close = (): void => {
    setOpenForm(null);
    heading.current?.focus();
  };
  const finish = (message: string, isVisible: boolean): void => {
    // The user has gone to another page, or another person was chosen.
    if (!isShown.current) {
      reportLateResult({ personId, message, failedDocument: null });
      return;
    }
    close();
    setResult(message);
    announce(message);
    if (!isVisible) void navigate('/app/views/inbox');
  };
  const fail = (): void => {
    if (isShown.current) return; // the form says why
    const id = document.shortId ?? document.id;
    const message = t('{document}: the action failed, or its outcome is unknown.', {
      document: document.shortId ?? t('Document'),
    });
    reportLateResult({ personId, message, failedDocument: id });
  };
  const form = {
    document,
    onReload,
    onConflict: setHasConflict,
    onCancel: close,
    onDone: finish,
    onFailed: fail,
  };
  return (
    <section className="card stack" aria-labelledby="actions-heading">
      <h2 ref={heading} id="actions-heading" tabIndex={-1}>
        {t('Actions')}
      </h2>
      {result !== null && <p className="notice notice-success">{result}</p>}
      {isEditing && isOutdated && !hasConflict && (
        <div className="notice notice-warning stack-small">
          <p>{t(updateTexts[update])}</p>
          <div>
            <button type="button" className="button" onClick={() => void onReload()}>
              {t('Show the current version')}
            </button>
          </div>
        </div>
      )}
      {openForm === null && (
        <div className="row">
          <button type="button" className="button button-primary" onClick={() => open('respond')}>
            {t('Respond…')}
          </button>
          <button type="button" className="button" onClick={() => open('move')}>
            {t('Move…')}
          </button>
        </div>
      )}
      {openForm === 'respond' && <PendingResponse documentId={document.id} {...form} />}
      {openForm === 'move' && <MoveForm {...form} />}
    </section>
  );
}
