import type { ResponseRequirement } from '../../model/document-requirements.ts';
import type { DocumentResponse, WorkflowAction } from '../../model/document.ts';
import { id, idOrNull, int, meta, object, text, type Property, type Writable } from './parse.ts';

export const responseProperties: Readonly<Record<ResponseRequirement, Property<DocumentResponse>>> =
  {
    document: { names: ['_ref'], set: (to, wire) => (to.documentId = idOrNull(wire._ref)) },
    state: { names: ['state'], set: (to, wire) => (to.state = int(wire.state)) },
    status: { names: ['status'], set: (to, wire) => (to.status = int(wire.status)) },
    step: { names: ['step'], set: (to, wire) => (to.step = int(wire.step)) },
    iteration: {
      names: ['itearation'], // spelled this way by the DMS
      set: (to, wire) => (to.iteration = int(wire.itearation)),
    },
    actionCode: {
      names: ['taskstatus'],
      set: (to, wire) => {
        to.actionCode = int(wire.taskstatus);
        to.action = actionFromWire(to.actionCode);
      },
    },
    resolutionId: {
      names: ['resolid'],
      set: (to, wire) => (to.resolutionId = idOrNull(wire.resolid)),
    },
    resolvedTo: { names: ['resolto'], set: (to, wire) => (to.resolvedTo = idOrNull(wire.resolto)) },
    content: { names: ['content'], set: (to, wire) => (to.content = text(wire.content)) },
    author: { names: ['author'], set: (to, wire) => (to.author = idOrNull(wire.author)) },
    meta: { names: ['_meta'], set: (to, wire) => (to.meta = meta(wire._meta)) },
  };

export function responseFromWire(
  answer: unknown,
  request: string,
  properties: readonly Property<DocumentResponse>[] = Object.values(responseProperties),
): DocumentResponse {
  const wire = object(answer, request);
  const response: Writable<DocumentResponse> = { fullId: id(wire, '_id', request) };
  for (const { set } of properties) set(response, wire, request);
  return response;
}

const codes: Readonly<Record<WorkflowAction, number>> = {
  APPROVE: 2,
  APPROVE_WITH_EDITS: 3,
  DECLINE: 4,
  COMPLETE_EXECUTION: 5,
  SIGN: 8,
  SEND_TO_APPROVAL: 100,
  SUSPEND: 101,
  RESUME: 102,
  CANCEL: 103,
  RESEND: 104,
  SEND_TO_SIGN: 105,
  SEND_TO_EXECUTION: 106,
  SEND_TO_ARCHIVE: 107,
  SEND_TO_REPOSITORY: 108,
  BLOCK: 110,
  DELETE: 111,
};

/** The `docResponse` of an action with its code. @see REST spec, Documents 4, 5 and 6 */
export function actionToWire(action: WorkflowAction): { taskstatus: number } {
  return { taskstatus: codes[action] };
}

const actions = new Map(
  Object.entries(codes).map(([action, code]) => [code, action as WorkflowAction]),
);

function actionFromWire(code: number | null): WorkflowAction | null {
  return (code !== null && actions.get(code)) || null;
}
