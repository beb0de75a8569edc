import { useEffect, useRef, useState } from 'react';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useText } from '../../language/text.ts';
import type { DocumentUpdate } from '../live/use-document-updates.ts';
import { MoveForm } from './move-form.tsx';
import { OutdatedNotice } from './outdated-notice.tsx';
import { PendingResponse } from './pending-response.tsx';
import { useActionResult } from './use-action-result.tsx';
import './actions.css';

const documentActionsFragment = graphql(`
  fragment DocumentActions on Document {
    id
    shortId
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
    ...DocumentValues
    ...DocumentActions
  }
`);

type FormName = 'respond' | 'move';

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
          onOpen={(name) => {
            clear();
            show(name);
          }}
        />
      )}
      {openForm === 'respond' && (
        <PendingResponse documentId={document.id} onFocusLost={focusHeading} {...form} />
      )}
      {openForm === 'move' && <MoveForm {...form} />}
    </section>
  );
}

function ActionButtons({ onOpen }: { readonly onOpen: (form: FormName) => void }) {
  const t = useText();
  return (
    <div className="row">
      <button type="button" className="button button-primary" onClick={() => onOpen('respond')}>
        {t('Respond…')}
      </button>
      <button type="button" className="button" onClick={() => onOpen('move')}>
        {t('Move…')}
      </button>
    </div>
  );
}
