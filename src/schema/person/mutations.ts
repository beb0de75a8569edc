import type { Person } from '../../model/person.ts';
import { builder } from '../builder.ts';
import {
  mutationErrorFrom,
  mutationErrorRefs,
  typeNameOf,
  type MutationError,
} from '../input/mutation-error.ts';
import { checkInput, definedFields } from '../input/input-check.ts';
import { PersonRef } from '../refs.ts';

interface Updated {
  readonly __typename: 'UpdatePersonPayload';
  readonly person: Person;
}

const Payload = builder.objectRef<Updated>('UpdatePersonPayload').implement({
  description: 'Returned if `updatePerson` succeeds.',
  fields: (t) => ({
    person: t.expose('person', { type: PersonRef, description: 'The updated person.' }),
  }),
});

const Result = builder.unionType('UpdatePersonResult', {
  description: 'The result of `updatePerson`.',
  types: [Payload, ...mutationErrorRefs],
  resolveType: typeNameOf,
});

const DeputyInput = builder.inputType('DeputyInput', {
  description: 'The deputy of a person.',
  fields: (t) => ({
    person: t.id({
      required: true,
      description: 'Global or system ID of the deputy, such as `usr-bob`.',
    }),
    enabled: t.boolean({ required: true, description: 'Whether the deputy is active.' }),
  }),
});

const Input = builder.inputType('UpdatePersonInput', {
  description: 'Changes to a person. Omitted and null fields stay unchanged.',
  fields: (t) => ({
    id: t.id({
      required: true,
      description: 'Global or system ID of the person, such as `usr-ann`.',
    }),
    password: t.string({ description: 'New password. It is never returned.' }),
    firstName: t.string({ description: 'First name.' }),
    middleName: t.string({ description: 'Middle name.' }),
    lastName: t.string({ description: 'Last name.' }),
    officePhone: t.string({ description: 'Office phone number.' }),
    mobilePhone: t.string({ description: 'Mobile phone number.' }),
    unitName: t.string({ description: 'Name of the organizational unit, such as `Finance`.' }),
    deputy: t.field({ type: DeputyInput, description: 'The deputy of the person.' }),
  }),
});

builder.mutationField('updatePerson', (t) =>
  t.field({
    type: Result,
    args: {
      input: t.arg({ type: Input, required: true, description: 'The changes to the person.' }),
    },
    description: 'Updates a person. Requires the DMS role `elAdminSysRW`.',
    resolve: async (_root, { input }, { dms, loaders }): Promise<Updated | MutationError> => {
      const { id, deputy, ...plain } = input;
      const checked = checkInput((check) => {
        const systemId = check.id('Person', id, ['id']);
        const personId = check.optionalId('Person', deputy?.person, ['deputy', 'person']);
        const change = definedFields({
          ...plain,
          deputy: personId === undefined ? null : { personId, enabled: deputy!.enabled },
        });
        if (plain.password === '') check.issue(['password'], 'The password must not be empty.');
        check.checkSetsField({ ...plain, deputy }, 'Set at least one field to change.');
        return { systemId, change };
      });
      if ('failure' in checked) return checked.failure;
      const result = await dms.persons.update(checked.value.systemId, checked.value.change);
      if (result.outcome !== 'done') return mutationErrorFrom(result, 'The person');
      loaders.clear();
      loaders.person.prime(result.value.systemId, result.value);
      return { __typename: 'UpdatePersonPayload', person: result.value };
    },
  }),
);
