import { builder, projectedFields } from './builder.ts';
import { defineQueryById, keyFields } from './ids.ts';
import { ActorRef, DocumentRef, DocumentResponseRef, metaField, PersonRef } from './refs.ts';
import { actorOf, objectOf } from './related-objects.ts';
import { WorkflowActionEnum } from './workflow-action.ts';

DocumentResponseRef.implement({
  description: 'The response of a participant to a document in one phase of its workflow.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    ...keyFields(t, 'DocumentResponse', 'Full ID: 24 hexadecimal characters.'),
    document: t.field({
      type: DocumentRef,
      nullable: true,
      requires: ['document'],
      description:
        'The document that the response belongs to. Costs one DMS request, unless only IDs are selected.',
      resolve: ({ documentId }, _args, context, info) =>
        objectOf('Document', documentId, context, info),
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
    resolvedTo: t.field({
      type: PersonRef,
      nullable: true,
      requires: ['resolvedTo'],
      description:
        'The person to whom the resolution is addressed. Costs one DMS request, unless only IDs are selected.',
      resolve: ({ resolvedTo }, _args, context, info) =>
        objectOf('Person', resolvedTo, context, info),
    }),
    ...projectedFields(t, 'String', { content: 'Comment of the participant.' }),
    author: t.field({
      type: ActorRef,
      nullable: true,
      requires: ['author'],
      description:
        'The participant who responds. A person costs one DMS request, unless only IDs are selected.',
      resolve: ({ author }, _args, context, info) => actorOf(author, context, info),
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
