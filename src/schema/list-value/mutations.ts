import type { ListValue } from '../../model/list-value.ts';
import { bounds } from '../input/list-bounds.ts';
import { builder } from '../builder.ts';
import {
  mutationErrorFrom,
  mutationErrorRefs,
  typeNameOf,
  type MutationError,
} from '../input/mutation-error.ts';
import { checkInput, definedFields } from '../input/input-check.ts';
import { ListValueRef } from '../refs.ts';

interface Upserted {
  readonly __typename: 'UpsertListValuePayload';
  readonly listValue: ListValue;
}

const Payload = builder.objectRef<Upserted>('UpsertListValuePayload').implement({
  description: 'A list value that was created or changed.',
  fields: (t) => ({
    listValue: t.expose('listValue', {
      type: ListValueRef,
      description: 'The list value as it is stored now.',
    }),
  }),
});

const Result = builder.unionType('UpsertListValueResult', {
  description: 'What became of upsertListValue.',
  types: [Payload, ...mutationErrorRefs],
  resolveType: typeNameOf,
});

const TranslationInput = builder.inputType('TranslationInput', {
  description: 'A text in one language.',
  fields: (t) => ({
    language: t.string({
      required: true,
      description: 'Short name of the language, such as `en`.',
    }),
    text: t.string({ required: true, description: 'The text in that language.' }),
  }),
});

const Input = builder.inputType('UpsertListValueInput', {
  description:
    'The value to change is found by `id` or `externalId`; where none is found or given, a new one is created. What is left out or null stays as it is.',
  fields: (t) => ({
    id: t.id({ description: 'Global or full id.' }),
    directory: t.id({
      description:
        'Global or full id of the directory that it belongs to; left out for a directory.',
    }),
    externalId: t.string({ description: 'The id in another system.' }),
    status: t.int({ description: 'The DMS’s status number.' }),
    value: t.field({
      type: [TranslationInput],
      description: `Its text, each language at most once, at most ${bounds.translations} of them.`,
    }),
  }),
});

builder.mutationField('upsertListValue', (t) =>
  t.field({
    type: Result,
    args: { input: t.arg({ type: Input, required: true, description: 'What to store.' }) },
    description: 'Creates or changes a value of a directory. Needs the role elAdminDocRW.',
    resolve: async (_root, { input }, { dms, loaders }): Promise<Upserted | MutationError> => {
      const { id, directory, externalId, value, ...plain } = input;
      const checked = checkInput((check) => {
        const change = definedFields({
          ...plain,
          fullId: check.optionalId('ListValue', id, ['id']),
          externalId: check.optionalForeignId(externalId, ['externalId']),
          parentId: check.optionalId('ListValue', directory, ['directory']),
          value: check.translations(value),
        });
        if (Object.keys(change).length === 0) check.issue([], 'There is nothing to store.');
        return change;
      });
      if ('failure' in checked) return checked.failure;
      const result = await dms.listValues.upsert(checked.value);
      if (result.outcome !== 'done') return mutationErrorFrom(result, 'The list value');
      loaders.clear();
      loaders.listValue.prime(result.value.fullId, result.value);
      return { __typename: 'UpsertListValuePayload', listValue: result.value };
    },
  }),
);
