import { builder } from './builder.ts';
import { dmsIdFrom, globalIdField, precheckId } from './ids.ts';
import { documentRequirements, isKeyOnly } from './plan/requirements.ts';
import { ActorRef, DocumentRef, DocumentResponseRef, metaField, PersonRef } from './refs.ts';
import { actorOf, personOf } from './related-objects.ts';
import { WorkflowActionEnum } from './workflow-action.ts';

DocumentResponseRef.implement({
  description: 'The response of a participant to a document in one phase of its workflow.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    id: globalIdField(t, 'DocumentResponse', ({ fullId }) => fullId),
    fullId: t.expose('fullId', {
      type: 'ObjectID',
      keyOnly: true,
      description: 'Full ID: 24 hexadecimal characters.',
    }),
    document: t.field({
      type: DocumentRef,
      nullable: true,
      requires: ['document'],
      description:
        'The document that the response belongs to. Costs one DMS request, unless only IDs are selected.',
      resolve: ({ documentId }, _args, { loaders }, info) => {
        if (documentId == null) return null;
        if (isKeyOnly(info)) return { fullId: documentId };
        return loaders.document.load(documentId, documentRequirements(info));
      },
    }),
    state: t.exposeInt('state', {
      nullable: true,
      requires: ['state'],
      description: 'Number of the workflow phase, as in `Document.state`.',
    }),
    status: t.exposeInt('status', {
      nullable: true,
      requires: ['status'],
      description: 'Status number of the response, as defined by the DMS.',
    }),
    step: t.exposeInt('step', {
      nullable: true,
      requires: ['step'],
      description: 'Step within the phase.',
    }),
    iteration: t.exposeInt('iteration', {
      nullable: true,
      requires: ['iteration'],
      description: 'Iteration within the phase.',
    }),
    action: t.field({
      type: WorkflowActionEnum,
      nullable: true,
      requires: ['actionCode'],
      description:
        'Workflow action of the participant. Null if the gateway does not know the `actionCode`.',
      resolve: ({ action }) => action ?? null,
    }),
    actionCode: t.exposeInt('actionCode', {
      nullable: true,
      requires: ['actionCode'],
      description:
        'Numeric code of the action in the DMS, such as 2 for `APPROVE`. Prefer `action`.',
    }),
    resolutionId: t.expose('resolutionId', {
      type: 'ObjectID',
      nullable: true,
      requires: ['resolutionId'],
      description: 'ID of the resolution.',
    }),
    resolvedTo: t.field({
      type: PersonRef,
      nullable: true,
      requires: ['resolvedTo'],
      description:
        'The person to whom the resolution is addressed. Costs one DMS request, unless only IDs are selected.',
      resolve: ({ resolvedTo }, _args, context, info) => personOf(resolvedTo, context, info),
    }),
    content: t.exposeString('content', {
      nullable: true,
      requires: ['content'],
      description: 'Comment of the participant.',
    }),
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

builder.queryField('documentResponse', (t) =>
  t.field({
    type: DocumentResponseRef,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'Global or full ID of the response.' }) },
    precheck: precheckId('DocumentResponse'),
    description:
      'Fetches a document response by its ID. Requires the DMS role `elAdminDocsR`. Costs one DMS request.',
    resolve: (_root, { id }, { loaders }) =>
      loaders.documentResponse.load(dmsIdFrom('DocumentResponse', id)),
  }),
);
