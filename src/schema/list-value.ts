import { builder, plainFields } from './builder.ts';
import { defineQueryById, keyFields } from './ids.ts';
import { definedFields } from './input/input-check.ts';
import { bounds } from './input/list-bounds.ts';
import { defineResourceMutation } from './input/define-mutation.ts';
import { ActorRef, ListValueRef, metaField, PersonRef } from './refs.ts';
import { objectField } from './related-objects.ts';
import { translatedFields } from './translated-text.ts';

ListValueRef.implement({
  description: 'A value of a directory. A directory is itself a list value, without a parent.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    ...keyFields(
      t,
      'ListValue',
      'Full ID: 24 hexadecimal characters, such as `65f000005eed001100000001`.',
    ),
    ...plainFields(t, 'String', { externalId: 'ID of the list value in another system.' }),
    ...translatedFields(t, ['value', 'translations'], 'Text', ({ translations }) => translations),
    ...plainFields(t, 'Int', {
      type: 'Type number of the list value. The DMS defines its meaning.',
      status: 'Status number of the list value. The DMS defines its meaning.',
    }),
    author: objectField(t, ActorRef, ({ author }) => author, {
      description: 'The author of the entry.',
    }),
    owner: objectField(t, PersonRef, ({ owner }) => owner, {
      description: 'The person who is responsible for the list value.',
    }),
    parent: objectField(t, ListValueRef, ({ parentId }) => parentId, {
      description: 'The list value that this one belongs to. Null for a directory.',
    }),
    values: t.field({
      type: [ListValueRef],
      nullable: true,
      keyOnly: true,
      cost: () => ({ calls: 1 }),
      description: 'Values of this directory. Costs one DMS request.',
      resolve: ({ fullId }, _args, { loaders }) => loaders.valuesOf.load(fullId),
    }),
    meta: t.expose('meta', metaField),
  }),
});

builder.queryField('directories', (t) =>
  t.field({
    type: [ListValueRef],
    nullable: true,
    cost: () => ({ calls: 1 }),
    description:
      'Returns all directories: the list values without a parent. Costs one DMS request.',
    resolve: (_root, _args, { loaders }) => loaders.directories.load(''),
  }),
);

defineQueryById(
  'ListValue',
  ListValueRef,
  'Global or full ID of the list value.',
  'Fetches a list value by its ID. Costs one DMS request, or none while it is cached.',
);

const TranslationInput = builder.inputType('TranslationInput', {
  description: 'A text in one language.',
  fields: (t) => ({
    language: t.string({
      required: true,
      description: 'Language code, such as `en`.',
    }),
    text: t.string({ required: true, description: 'The text in that language.' }),
  }),
});

const Input = builder.inputType('UpsertListValueInput', {
  description:
    'A list value to create or update. The DMS looks for an existing list value by `id` or `externalId`. If it finds none, it creates a new one. Omitted and null fields stay unchanged.',
  fields: (t) => ({
    id: t.id({ description: 'Global or full ID of the list value.' }),
    directory: t.id({
      description:
        'Global or full ID of the directory that the list value belongs to. Omit it to create or update a directory.',
    }),
    externalId: t.string({ description: 'ID of the list value in another system.' }),
    status: t.int({ description: 'Status number. The DMS defines its meaning.' }),
    value: t.field({
      type: [TranslationInput],
      description: `Translations of the text, at most ${bounds.translations}. Each language can occur once.`,
    }),
  }),
});

defineResourceMutation('ListValue', 'upsertListValue', {
  ref: ListValueRef,
  input: Input,
  descriptions: {
    mutation:
      'Creates or updates a list value or a directory. Requires the DMS role `elAdminDocRW`.',
    input: 'The list value to create or update.',
    object: 'The created or updated list value.',
  },
  what: 'The list value',
  check(check, input) {
    const { id, directory, externalId, value, ...plain } = input;
    const change = definedFields({
      ...plain,
      fullId: check.optionalId('ListValue', id, ['id']),
      externalId: check.optionalForeignId(externalId, ['externalId']),
      parentId: check.optionalId('ListValue', directory, ['directory']),
      value: check.translations(value),
    });
    check.checkSetsField(input);
    return change;
  },
  write: (dms, change) => dms.listValues.upsert(change),
});
