import type { ResponseNeed } from '../../model/document-needs.ts';
import type { DocumentResponse } from '../../model/document-response.ts';
import type { Property } from './projection.ts';
import { id, int, meta, object, text } from './read.ts';

/** The properties of a response, in the order in which they are asked for. */
export const responseProperties: Readonly<Record<ResponseNeed, Property>> = {
  document: { key: 'documentId', names: ['_ref'], read: (wire) => text(wire._ref) },
  state: { key: 'state', names: ['state'], read: (wire) => int(wire.state) },
  status: { key: 'status', names: ['status'], read: (wire) => int(wire.status) },
  step: { key: 'step', names: ['step'], read: (wire) => int(wire.step) },
  iteration: {
    key: 'iteration',
    // The service spells it so; should it ever correct itself, that is understood too.
    names: ['itearation'],
    read: (wire) => int(wire.itearation) ?? int(wire.iteration),
  },
  actionCode: { key: 'actionCode', names: ['taskstatus'], read: (wire) => int(wire.taskstatus) },
  resolutionId: { key: 'resolutionId', names: ['resolid'], read: (wire) => text(wire.resolid) },
  resolvedTo: { key: 'resolvedTo', names: ['resolto'], read: (wire) => text(wire.resolto) },
  content: { key: 'content', names: ['content'], read: (wire) => text(wire.content) },
  author: { key: 'author', names: ['author'], read: (wire) => text(wire.author) },
  meta: { key: 'meta', names: ['_meta'], read: (wire) => meta(wire._meta) },
};

/** A response with the given properties; without, with all. */
export function responseFromWire(
  answer: unknown,
  request: string,
  properties: readonly Property[] = Object.values(responseProperties),
): DocumentResponse {
  const wire = object(answer, request);
  const response: Record<string, unknown> = { fullId: id(wire, '_id', request) };
  for (const { key, read } of properties) response[key] = read(wire, request);
  return response as unknown as DocumentResponse;
}
