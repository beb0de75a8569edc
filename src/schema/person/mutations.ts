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
  description: 'A person that was changed.',
  fields: (t) => ({
    person: t.expose('person', { type: PersonRef, description: 'The person as stored now.' }),
  }),
});

const Result = builder.unionType('UpdatePersonResult', {
  description: 'What became of updatePerson.',
  types: [Payload, ...mutationErrorRefs],
  resolveType: typeNameOf,
});

const DeputyInput = builder.inputType('DeputyInput', {
  description: 'Who stands in for a person.',
  fields: (t) => ({
    person: t.id({
      required: true,
      description: 'Global or system id of the person who stands in.',
    }),
    enabled: t.boolean({ required: true, description: 'Whether the deputy stands in now.' }),
  }),
});

const Input = builder.inputType('UpdatePersonInput', {
  description: 'What to change of a person. What is left out or null stays as it is.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Global or system id (`usr-…`).' }),
    password: t.string({ description: 'A new password; it is never read back.' }),
    firstName: t.string({ description: 'First name.' }),
    middleName: t.string({ description: 'Middle name.' }),
    lastName: t.string({ description: 'Last name.' }),
    officePhone: t.string({ description: 'Phone in the office.' }),
    mobilePhone: t.string({ description: 'Mobile phone.' }),
    unitName: t.string({ description: 'Name of the organizational unit.' }),
    deputy: t.field({ type: DeputyInput, description: 'Who stands in.' }),
  }),
});

builder.mutationField('updatePerson', (t) =>
  t.field({
    type: Result,
    args: { input: t.arg({ type: Input, required: true, description: 'What to change.' }) },
    description: 'Changes a person. Needs the role elAdminSysRW.',
    resolve: async (_root, { input }, { dms, loaders }): Promise<Updated | MutationError> => {
      const { id, deputy, ...plain } = input;
      const checked = checkInput((check) => {
        const systemId = check.id('Person', id, ['id']);
        const personId = check.optionalId('Person', deputy?.person, ['deputy', 'person']);
        const change = definedFields({
          ...plain,
          deputy: personId === undefined ? null : { personId, enabled: deputy!.enabled },
        });
        if (plain.password === '') check.issue(['password'], 'A password is not empty.');
        if (Object.keys(change).length === 0) check.issue([], 'There is nothing to change.');
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
