import { builder, projectedFields } from './builder.ts';
import { defineQueryById, keyFields } from './ids.ts';
import { ActorRef, DocumentRef, DocumentResponseRef, metaField, PersonRef } from './refs.ts';
import { objectField } from './related-objects.ts';
import { WorkflowActionEnum } from './workflow-action.ts';

DocumentResponseRef.implement({
  description: 'The response of a participant to a document in one phase of its workflow.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    ...keyFields(t, 'DocumentResponse', 'Full ID: 24 hexadecimal characters.'),
    document: objectField(t, DocumentRef, ({ documentId }) => documentId, {
      requires: ['document'],
      description: 'The document that the response belongs to.',
    }),
    ...projectedFields(t, 'Int', {
      state: 'Number of the workflow phase, as in `Document.state`.',
      status: 'Status number of the response, as defined by the DMS.',
      step: 'Step within the phase.',
      iteration: 'Iteration within the phase.',
      actionCode:
        'Numeric code of the action in the DMS, such as 2 for `APPROVE`. Prefer `action`.',
    }),
    action: t.field({
      type: WorkflowActionEnum,
      nullable: true,
      requires: ['actionCode'],
      description:
        'Workflow action of the participant. Null if the gateway does not know the `actionCode`.',
      resolve: ({ action }) => action ?? null,
    }),
    ...projectedFields(t, 'ObjectID', { resolutionId: 'ID of the resolution.' }),
    resolvedTo: objectField(t, PersonRef, ({ resolvedTo }) => resolvedTo, {
      requires: ['resolvedTo'],
      description: 'The person to whom the resolution is addressed.',
    }),
    ...projectedFields(t, 'String', { content: 'Comment of the participant.' }),
    author: objectField(t, ActorRef, ({ author }) => author, {
      requires: ['author'],
      description: 'The participant who responds.',
    }),
    meta: t.expose('meta', { ...metaField, requires: ['meta'] }),
  }),
});

defineQueryById(
  'DocumentResponse',
  DocumentResponseRef,
  'Global or full ID of the response.',
  'Fetches a document response by its ID. Requires the DMS role `elAdminDocsR`. Costs one DMS request.',
);
