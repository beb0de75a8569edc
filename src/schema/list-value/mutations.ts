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
  description: 'Returned if `upsertListValue` succeeds.',
  fields: (t) => ({
    listValue: t.expose('listValue', {
      type: ListValueRef,
      description: 'The created or updated list value.',
    }),
  }),
});

const Result = builder.unionType('UpsertListValueResult', {
  description: 'The result of `upsertListValue`.',
  types: [Payload, ...mutationErrorRefs],
  resolveType: typeNameOf,
});

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

builder.mutationField('upsertListValue', (t) =>
  t.field({
    type: Result,
    args: {
      input: t.arg({
        type: Input,
        required: true,
        description: 'The list value to create or update.',
      }),
    },
    description:
      'Creates or updates a list value or a directory. Requires the DMS role `elAdminDocRW`.',
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
        check.checkSetsField(input);
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
