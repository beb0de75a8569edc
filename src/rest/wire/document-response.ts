import type { ResponseRequirement } from '../../model/document-requirements.ts';
import type { DocumentResponse } from '../../model/document-response.ts';
import { actionFromWire } from './action.ts';
import type { Property, Writable } from './property.ts';
import { id, idOrNull, int, meta, object, text } from './parse.ts';

/** The properties of a response, in the order in which they are requested. */
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

/** Reads a response with the given properties, by default all. @throws {RestError} `UPSTREAM_ERROR` without an ID */
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
