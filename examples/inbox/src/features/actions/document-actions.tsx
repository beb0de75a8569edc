import { useEffect, useRef, useState } from 'react';
import { Loading } from '../../components/loading.tsx';
import { responseActions } from '../../domain/workflow.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import type { ResponseAction } from '../../gql/graphql.ts';
import { useText } from '../../language/text.ts';
import type { DocumentUpdate } from '../live/use-document-updates.ts';
import { MoveForm } from './move-form.tsx';
import { OutdatedNotice } from './outdated-notice.tsx';
import { PendingResponse } from './pending-response.tsx';
import { useActionResult } from './use-action-result.tsx';
import { useAllowedActions, type AllowedActions } from './use-allowed-actions.ts';
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
    ...RespondForm
    ...MoveForm
  }
`);

/** What the page shows of a document that an action can change. The mutations read it into the cache. */
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

/** The open form: a response with its action, or the move. */
type FormName = ResponseAction | 'move';

interface DocumentActionsProps {
  readonly document: FragmentType<typeof documentActionsFragment>;
  /** Reads the document again. */
  readonly onReload: () => Promise<void>;
  /** Called when a form opens or closes. */
  readonly onEditingChange: (isEditing: boolean) => void;
  /** What happened to the document since it was shown. */
  readonly update: DocumentUpdate | null;
}

/** What the user can do with a document now: respond in its phase, or move it. One form is open at a time. */
export function DocumentActions(props: DocumentActionsProps) {
  const { onReload, onEditingChange, update } = props;
  const t = useText();
  const document = useFragment(documentActionsFragment, props.document);
  const [openForm, setOpenForm] = useState<FormName | null>(null);
  /** The notice about a conflict offers the current version too. */
  const [hasConflict, setHasConflict] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const focusHeading = (): void => heading.current?.focus();
  const show = (form: FormName | null): void => {
    setOpenForm(form);
    focusHeading(); // the button that was pressed no longer exists
  };
  const allowed = useAllowedActions(document, document.meta?.revision);
  const { result, clear, succeed, fail } = useActionResult(document, () => show(null));
  const isEditing = openForm !== null;
  useEffect(() => {
    onEditingChange(isEditing);
    return () => onEditingChange(false);
  }, [isEditing, onEditingChange]);

  const form = {
    document,
    onReload,
    onConflict: setHasConflict,
    onCancel: () => show(null),
    onDone: succeed,
    onFailed: fail,
  };
  return (
    <section className="card stack" aria-labelledby="actions-heading">
      <h2 ref={heading} id="actions-heading" tabIndex={-1}>
        {t('Actions')}
      </h2>
      {result !== null && <p className="notice notice-success">{result}</p>}
      {isEditing && (update === 'pending' || update === 'gone') && !hasConflict && (
        <OutdatedNotice update={update} onReload={onReload} onFocusLost={focusHeading} />
      )}
      {openForm === null && (
        <ActionButtons
          allowed={allowed}
          onOpen={(name) => {
            clear();
            show(name);
          }}
        />
      )}
      {openForm === 'move' && <MoveForm {...form} actions={allowed.moves} />}
      {openForm !== null && openForm !== 'move' && (
        <PendingResponse
          documentId={document.id}
          initialAction={openForm}
          onFocusLost={focusHeading}
          {...form}
        />
      )}
    </section>
  );
}

interface ActionButtonsProps {
  readonly allowed: AllowedActions;
  readonly onOpen: (form: FormName) => void;
}

/** A button for each action that the user can take now, the usual one first, or why there is none. */
function ActionButtons({ allowed, onOpen }: ActionButtonsProps) {
  const t = useText();
  const { responses, moves, isLoading } = allowed;
  if (isLoading) {
    return (
      <div className="actions-loading">
        <Loading label={t('Actions')} />
      </div>
    );
  }
  return (
    <>
      {responses.length === 0 && (
        <p className="muted">{t('No response is expected from you in this phase.')}</p>
      )}
      <div className="action-buttons">
        {responses.map((action, index) => (
          <button
            key={action}
            type="button"
            className={index === 0 ? 'button button-primary' : 'button'}
            onClick={() => onOpen(action)}
          >
            {t(responseActions[action])}
          </button>
        ))}
        {moves.length > 0 && (
          <button type="button" className="button" onClick={() => onOpen('move')}>
            {t('Move…')}
          </button>
        )}
      </div>
      {moves.length === 0 && (
        <p className="muted small">{t('Only its author and administrators can move it.')}</p>
      )}
    </>
  );
}
