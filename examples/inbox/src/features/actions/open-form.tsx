import { useEffect, useRef, useState, type ReactNode, type Ref } from 'react';
import type { DocumentActionsFragment, PhaseAction } from '../../gql/graphql.ts';
import { useText, type Label } from '../../language/text.ts';
import type { DocumentUpdate } from '../live/use-document-updates.ts';
import type { FormName } from './action-buttons.tsx';
import { MoveForm } from './move-form.tsx';
import { OutdatedNotice } from './outdated-notice.tsx';
import { PendingResponse } from './pending-response.tsx';
import type { ActionFormProps } from './respond-form.tsx';

interface OpenFormProps extends Omit<ActionFormProps, 'onConflict'> {
  readonly document: DocumentActionsFragment;
  /** Which form. */
  readonly name: FormName;
  /** The moves that the document allows. */
  readonly moves: readonly PhaseAction[];
  /** What happened to the document since it was shown. */
  readonly update: DocumentUpdate | null;
}

/** The form that is open. A notice about a conflict offers the current version, too. */
export function OpenForm({ name, moves, update, ...form }: OpenFormProps) {
  const [hasConflict, setHasConflict] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const onFocusLost = (): void => heading.current?.focus();
  useEffect(onFocusLost, [name]);
  const props = { ...form, onConflict: setHasConflict };
  return (
    <ActionPanel heading={name === 'move' ? 'Move' : 'Your response'} headingRef={heading}>
      {!hasConflict && (update === 'pending' || update === 'gone') && (
        <OutdatedNotice update={update} onReload={form.onReload} onFocusLost={onFocusLost} />
      )}
      {name === 'move' ? (
        <MoveForm {...props} actions={moves} />
      ) : (
        <PendingResponse
          documentId={form.document.id}
          initialAction={name}
          onFocusLost={onFocusLost}
          {...props}
        />
      )}
    </ActionPanel>
  );
}

interface ActionPanelProps {
  readonly heading: Label;
  readonly headingRef?: Ref<HTMLHeadingElement>;
  readonly children: ReactNode;
}

/** A card above what the document contains. */
export function ActionPanel({ heading, headingRef, children }: ActionPanelProps) {
  const t = useText();
  return (
    <section className="card stack action-panel" aria-labelledby="actions-heading">
      <h2 ref={headingRef} id="actions-heading" tabIndex={-1}>
        {t(heading)}
      </h2>
      {children}
    </section>
  );
}
