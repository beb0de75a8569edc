import type { Caller } from '../caller.ts';
import { requireRole } from '../caller.ts';
import { json } from '../http/response.ts';
import { readJson } from '../http/request-body.ts';
import type { Handler } from '../http/handler.ts';
import { param } from '../http/handler.ts';
import { timestamp } from '../ids.ts';
import { forbidden, notFound, unchanged } from '../problem.ts';
import type { Service } from '../service.ts';
import type { Database } from '../store/database.ts';
import type { Document } from '../store/documents.ts';
import { seeDocument } from '../store/documents.ts';
import type { Response } from '../store/responses.ts';
import { findResponse, saveResponse } from '../store/responses.ts';
import { completeTask, hasOpenTask } from '../store/tasks.ts';
import { answer, participantActions, phaseActions } from '../workflow.ts';
import { actionInput, contentInput, documentInput } from './input.ts';
import { moveDocument, storeMove } from './moves.ts';
import { plainFields } from './render.ts';

/**
 * PUT docForm/{id}/docResponse/{respId}: a participant's response, optionally with changed values (REST spec, Documents
 * 4).
 */
export function putResponse({ db }: Service): Handler {
  return async (context) => {
    const { caller } = context;
    const id = param(context, 'id');
    seeDocument(db, caller, id); // checked before the body is read
    const body = await readJson(context.request);
    const action = actionInput(body.docResponse, participantActions);
    const content = contentInput(body.docResponse);
    const edits = documentInput(body.docForm);

    return db.transaction(() => {
      const document = seeDocument(db, caller, id);
      const response = waitingResponse(db, caller, document, param(context, 'respId'));
      const edited: Document = {
        ...document,
        values: { ...document.values, ...edits.values },
        tags: edits.tags ?? document.tags,
      };
      const stillWaiting = completeTask(db, document, caller.actorId);
      const changed = storeMove(db, edited, answer(document.flow, action, stillWaiting));
      const done = { status: 2, action, content, modified: timestamp(), rev: response.rev + 1 };
      saveResponse(db, { ...response, ...done });
      return json(plainFields(changed));
    });
  };
}

/** Returns the open response of the caller. @throws {Problem} 422 if it is already answered or no longer current */
function waitingResponse(
  db: Database,
  caller: Caller,
  document: Document,
  responseId: string,
): Response {
  const response = findResponse(db, responseId);
  if (response?.document !== document.id) throw notFound('There is no such docResponse.');
  if (response.author !== caller.actorId) {
    throw forbidden('The docResponse belongs to another user.');
  }
  const { state, step, iteration } = document.flow;
  const isCurrent =
    response.state === state && response.step === step && response.iteration === iteration;
  if (response.status !== 1 || !isCurrent || !hasOpenTask(db, document, caller.actorId)) {
    throw unchanged('The docResponse has been processed already.');
  }
  return response;
}

/** POST docForm/{id}/docResponse: changes status and phase (REST spec, Documents 5). */
export function postResponse({ db }: Service): Handler {
  return async (context) => {
    const { caller } = context;
    const id = param(context, 'id');
    requireInitiator(caller, seeDocument(db, caller, id));
    const body = await readJson(context.request);
    const action = actionInput(body.docResponse, phaseActions);

    return db.transaction(() => {
      const document = seeDocument(db, caller, id);
      return json(plainFields(moveDocument(db, document, action)));
    });
  };
}

function requireInitiator(caller: Caller, document: Document): void {
  if (document.author !== caller.actorId) requireRole(caller, 'elAdminDocsRW');
}
