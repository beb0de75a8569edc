import { builder } from '../builder.ts';
import { localizedTextField } from '../input/language.ts';
import { dmsIdFrom, globalIdField, precheckId } from '../ids.ts';
import { ActorRef, ListValueRef, metaField, PersonRef, TranslationRef } from '../refs.ts';
import { actorOf, objectOf } from '../related-objects.ts';

ListValueRef.implement({
  description: 'A value of a directory. A directory is itself a list value, without a parent.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    id: globalIdField(t, 'ListValue'),
    fullId: t.expose('fullId', {
      type: 'ObjectID',
      keyOnly: true,
      description: 'Full ID: 24 hexadecimal characters, such as `65f000005eed001100000001`.',
    }),
    externalId: t.exposeString('externalId', {
      nullable: true,
      description: 'ID of the list value in another system.',
    }),
    value: localizedTextField(t, 'Text', ({ translations }) => translations),
    translations: t.field({
      type: [TranslationRef],
      description: 'All translations of the text.',
      resolve: ({ translations }) => translations ?? [],
    }),
    type: t.exposeInt('type', {
      nullable: true,
      description: 'Type number of the list value. The DMS defines its meaning.',
    }),
    status: t.exposeInt('status', {
      nullable: true,
      description: 'Status number of the list value. The DMS defines its meaning.',
    }),
    author: t.field({
      type: ActorRef,
      nullable: true,
      description:
        'The author of the entry. A person costs one DMS request, unless only IDs are selected.',
      resolve: ({ author }, _args, context, info) => actorOf(author, context, info),
    }),
    owner: t.field({
      type: PersonRef,
      nullable: true,
      description:
        'The person who is responsible for the list value. Costs one DMS request, unless only IDs are selected.',
      resolve: ({ owner }, _args, context, info) => objectOf('Person', owner, context, info),
    }),
    parent: t.field({
      type: ListValueRef,
      nullable: true,
      description:
        'The list value that this one belongs to. Null for a directory. Costs one DMS request, unless only IDs are selected.',
      resolve: ({ parentId }, _args, context, info) =>
        objectOf('ListValue', parentId, context, info),
    }),
    values: t.field({
      type: [ListValueRef],
      nullable: true,
      keyOnly: true,
      description: 'Values of this directory. Costs one DMS request.',
      resolve: ({ fullId }, _args, { loaders }) => loaders.valuesOf.load(fullId),
    }),
    meta: t.expose('meta', metaField),
  }),
});

builder.queryFields((t) => ({
  directories: t.field({
    type: [ListValueRef],
    nullable: true,
    description:
      'Returns all directories: the list values without a parent. Costs one DMS request.',
    resolve: (_root, _args, { loaders }) => loaders.directories.load(''),
  }),
  listValue: t.field({
    type: ListValueRef,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'Global or full ID of the list value.' }) },
    precheck: precheckId('ListValue'),
    description:
      'Fetches a list value by its ID. Costs one DMS request, or none while it is cached.',
    resolve: (_root, { id }, { loaders }) => loaders.listValue.load(dmsIdFrom('ListValue', id)),
  }),
}));
