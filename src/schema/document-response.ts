import { builder } from './builder.ts';
import { dmsIdFrom, precheckId, toGlobalId } from './ids.ts';
import { documentRequirements, isKeyOnly } from './selection/projection.ts';
import { ActorRef, DocumentRef, DocumentResponseRef, MetaRef, PersonRef } from './refs.ts';
import { actorOf, personOf } from './related-objects.ts';
import { WorkflowActionEnum } from './workflow-action.ts';

const orNull = 'Null where the DMS leaves it out.';

DocumentResponseRef.implement({
  description: 'A participant’s response to a document in a phase of its workflow.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    id: t.id({
      description: 'The global id: opaque, and unique among all things.',
      resolve: ({ fullId }) => toGlobalId('DocumentResponse', fullId),
    }),
    fullId: t.expose('fullId', {
      type: 'ObjectID',
      description: 'The full id: 24 hexadecimal characters (`_id`).',
    }),
    document: t.field({
      type: DocumentRef,
      nullable: true,
      requires: ['document'],
      description: 'The document that it responds to (`_ref`); null where the DMS leaves it out.',
      resolve: ({ documentId }, _args, { loaders }, info) => {
        if (documentId == null) return null;
        if (isKeyOnly(info)) return { fullId: documentId };
        return loaders.document.load(documentId, documentRequirements(info));
      },
    }),
    state: t.exposeInt('state', {
      nullable: true,
      requires: ['state'],
      description: `Process phase (\`state\`). ${orNull}`,
    }),
    status: t.exposeInt('status', {
      nullable: true,
      requires: ['status'],
      description: `Status of the response (\`status\`). ${orNull}`,
    }),
    step: t.exposeInt('step', {
      nullable: true,
      requires: ['step'],
      description: `Step within the phase (\`step\`). ${orNull}`,
    }),
    iteration: t.exposeInt('iteration', {
      nullable: true,
      requires: ['iteration'],
      description: `Iteration within the phase (\`itearation\`, as the DMS spells it). ${orNull}`,
    }),
    action: t.field({
      type: WorkflowActionEnum,
      nullable: true,
      requires: ['actionCode'],
      description:
        'The action behind `actionCode`; null for a code that this gateway does not know.',
      resolve: ({ action }) => action ?? null,
    }),
    actionCode: t.exposeInt('actionCode', {
      nullable: true,
      requires: ['actionCode'],
      description: `The DMS’s code of the action (\`taskstatus\`). ${orNull}`,
    }),
    resolutionId: t.expose('resolutionId', {
      type: 'ObjectID',
      nullable: true,
      requires: ['resolutionId'],
      description: `Id of the resolution (\`resolid\`). ${orNull}`,
    }),
    resolvedTo: t.field({
      type: PersonRef,
      nullable: true,
      requires: ['resolvedTo'],
      description: 'The person whom the resolution goes to (`resolto`); null where there is none.',
      resolve: ({ resolvedTo }, _args, context, info) => personOf(resolvedTo, context, info),
    }),
    content: t.exposeString('content', {
      nullable: true,
      requires: ['content'],
      description: `What the participant wrote (\`content\`). ${orNull}`,
    }),
    author: t.field({
      type: ActorRef,
      nullable: true,
      requires: ['author'],
      description: `Whose response it is (\`author\`). ${orNull}`,
      resolve: ({ author }, _args, context, info) => actorOf(author, context, info),
    }),
    meta: t.expose('meta', {
      type: MetaRef,
      nullable: true,
      requires: ['meta'],
      description: `When it was stored and changed (\`_meta\`). ${orNull}`,
    }),
  }),
});

builder.queryField('documentResponse', (t) =>
  t.field({
    type: DocumentResponseRef,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'Global or full id of the response.' }) },
    precheck: precheckId('DocumentResponse'),
    description: 'One response; null where there is none.',
    resolve: (_root, { id }, { loaders }) =>
      loaders.documentResponse.load(dmsIdFrom('DocumentResponse', id)),
  }),
);
