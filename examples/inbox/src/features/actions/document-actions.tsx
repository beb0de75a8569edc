import { useApolloClient } from '@apollo/client/react';
import { useEffect, useRef, useState } from 'react';
import { useStore } from '../../client/store.ts';
import { phaseActions, responseActions } from '../../domain/workflow.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import type { PhaseAction, ResponseAction } from '../../gql/graphql.ts';
import { useText } from '../../language/text.ts';
import { useKeys } from '../keyboard/keyboard.ts';
import type { DocumentUpdate } from '../live/use-document-updates.ts';
import { ActionButtons, type FormName } from './action-buttons.tsx';
import { delayedAction, sendLater } from './delayed-action.tsx';
import { ActionPanel, OpenForm } from './open-form.tsx';
import { sendMove, sendResponse, type ActionOutcome } from './send-action.ts';
import { useActionResult } from './use-action-result.tsx';
import { useAllowedActions } from './use-allowed-actions.ts';
import { useNextDocument } from './use-next-document.ts';
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

interface DocumentActionsOptions {
  readonly document: FragmentType<typeof documentActionsFragment>;
  /** Path of the page of the document. */
  readonly path: string;
  /** Reads the document again. */
  readonly onReload: () => Promise<void>;
  /** Called when a form opens or closes. */
  readonly onEditingChange: (isEditing: boolean) => void;
  /** What happened to the document since it was shown. */
  readonly update: DocumentUpdate | null;
}

/**
 * What the user can do with a document now. `bar` has a button for each action, and stays visible. `panel` has the form that
 * is open, one at a time, and what the last one did.
 */
export function useDocumentActions(options: DocumentActionsOptions) {
  const { path, onReload, onEditingChange, update } = options;
  const t = useText();
  const document = useFragment(documentActionsFragment, options.document);
  const { id, shortId, meta } = document;
  const client = useApolloClient();
  const [openForm, setOpenForm] = useState<FormName | null>(null);
  const bar = useRef<HTMLDivElement>(null);
  const name = shortId ?? t('Document');
  const close = (): void => {
    setOpenForm(null);
    bar.current?.focus(); // the button that was pressed no longer exists
  };
  const allowed = useAllowedActions(document, meta?.revision);
  const { result, clear, report, reportFailure } = useActionResult(name, path, close);
  const openNext = useNextDocument(path);
  const isDelayed = useStore(delayedAction)?.action.path === path;
  const isEditing = openForm !== null;
  useEffect(() => {
    onEditingChange(isEditing);
    return () => onEditingChange(false);
  }, [isEditing, onEditingChange]);

  const open = (form: FormName): void => {
    clear();
    setOpenForm(form);
  };
  const later = (label: string, isResponse: boolean, send: () => Promise<ActionOutcome>): void => {
    clear();
    sendLater({
      message: `${label}: ${name}`,
      path,
      isResponse,
      send: async () => (await send()).failure,
      onFailed: reportFailure,
    });
  };
  const target = { document: id, expectedRevision: meta?.revision ?? null };
  const respond = (action: ResponseAction): void => {
    later(t(responseActions[action]), true, () => sendResponse(client, { ...target, action }));
    void openNext();
  };
  const move = (action: PhaseAction): void =>
    later(t(phaseActions[action]), false, () => sendMove(client, { ...target, action }));
  const [usual] = allowed.responses;
  useKeys({
    ...(usual && !isEditing && !isDelayed && { a: () => respond(usual), d: () => open('DECLINE') }),
  });
  const form = { document, onReload, onCancel: close, onEnd: report };
  return {
    bar: (
      <div ref={bar} tabIndex={-1} role="group" aria-label={t('Actions')} className="action-bar">
        {isEditing || isDelayed || allowed.isLoading ? null : (
          <ActionButtons
            status={document.status}
            allowed={allowed}
            onRespond={respond}
            onMove={move}
            onOpen={open}
          />
        )}
      </div>
    ),
    panel:
      openForm === null ? (
        result !== null && (
          <ActionPanel heading="Done">
            <p className="notice notice-success">{result}</p>
          </ActionPanel>
        )
      ) : (
        <OpenForm {...form} name={openForm} moves={allowed.moves} update={update} />
      ),
  };
}
