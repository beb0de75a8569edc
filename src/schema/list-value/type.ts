import { builder } from '../builder.ts';
import { languageArg, translated } from '../input/language.ts';
import { dmsIdFrom, precheckId, toGlobalId } from '../ids.ts';
import { ActorRef, ListValueRef, MetaRef, PersonRef, TranslationRef } from '../refs.ts';
import { actorOf, listValueOf, personOf } from '../related-objects.ts';

ListValueRef.implement({
  description: 'A value of a directory; a directory itself is a list value of the first level.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    id: t.id({
      keyOnly: true,
      description: 'The global id: opaque, and unique among all things.',
      resolve: ({ fullId }) => toGlobalId('ListValue', fullId),
    }),
    fullId: t.expose('fullId', {
      type: 'ObjectID',
      keyOnly: true,
      description: 'The full id: 24 hexadecimal characters (`_id`).',
    }),
    externalId: t.exposeString('externalId', {
      nullable: true,
      description: 'The id in another system (`_id_ext`); null where it has none.',
    }),
    value: t.string({
      nullable: true,
      args: languageArg,
      description:
        'Its text in the asked language, else in one of Accept-Language, else the first there is; null where it has no text.',
      resolve: ({ translations }, { language }, { languages }) =>
        translated(translations ?? [], language, languages),
    }),
    translations: t.field({
      type: [TranslationRef],
      description: 'Its text in every language, in the order of the DMS.',
      resolve: ({ translations }) => translations ?? [],
    }),
    type: t.exposeInt('type', {
      nullable: true,
      description: 'The DMS’s type number of the value.',
    }),
    status: t.exposeInt('status', {
      nullable: true,
      description: 'The DMS’s status number of the value.',
    }),
    author: t.field({
      type: ActorRef,
      nullable: true,
      description: 'Who entered it; null where the DMS leaves it out.',
      resolve: ({ author }, _args, context, info) => actorOf(author, context, info),
    }),
    owner: t.field({
      type: PersonRef,
      nullable: true,
      description: 'The person who looks after it; null where the DMS leaves it out.',
      resolve: ({ owner }, _args, context, info) => personOf(owner, context, info),
    }),
    parent: t.field({
      type: ListValueRef,
      nullable: true,
      description: 'The list value that it belongs to; null for a directory.',
      resolve: ({ parentId }, _args, context, info) => listValueOf(parentId, context, info),
    }),
    values: t.field({
      type: [ListValueRef],
      nullable: true,
      keyOnly: true,
      description: 'The values of this directory, in the order of the DMS.',
      resolve: ({ fullId }, _args, { loaders }) => loaders.valuesOf.load(fullId),
    }),
    meta: t.expose('meta', {
      type: MetaRef,
      nullable: true,
      description: 'When it was stored and changed; null where the DMS leaves it out.',
    }),
  }),
});

builder.queryFields((t) => ({
  directories: t.field({
    type: [ListValueRef],
    nullable: true,
    description: 'The directories: the list values of the first level.',
    resolve: (_root, _args, { loaders }) => loaders.directories.load(''),
  }),
  listValue: t.field({
    type: ListValueRef,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'Global or full id of the list value.' }) },
    precheck: precheckId('ListValue'),
    description: 'One list value; null where there is none.',
    resolve: (_root, { id }, { loaders }) => loaders.listValue.load(dmsIdFrom('ListValue', id)),
  }),
}));
