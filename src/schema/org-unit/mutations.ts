import type { OrgUnit } from '../../model/org-unit.ts';
import { bounds } from '../input/list-bounds.ts';
import { builder } from '../builder.ts';
import {
  mutationErrorFrom,
  mutationErrorRefs,
  typeNameOf,
  type MutationError,
} from '../input/mutation-error.ts';
import { checkInput, definedFields, type InputCheck } from '../input/input-check.ts';
import { OrgUnitRef } from '../refs.ts';

interface Upserted {
  readonly __typename: 'UpsertOrgUnitPayload';
  readonly orgUnit: OrgUnit;
}

const Payload = builder.objectRef<Upserted>('UpsertOrgUnitPayload').implement({
  description: 'An organizational unit that was created or changed.',
  fields: (t) => ({
    orgUnit: t.expose('orgUnit', { type: OrgUnitRef, description: 'The unit as stored now.' }),
  }),
});

const Result = builder.unionType('UpsertOrgUnitResult', {
  description: 'What became of upsertOrgUnit.',
  types: [Payload, ...mutationErrorRefs],
  resolveType: typeNameOf,
});

const Input = builder.inputType('UpsertOrgUnitInput', {
  description:
    'The unit to change is found by `id`; where none is found or given, a new one is created. What is left out or null stays as it is.',
  fields: (t) => ({
    id: t.id({ description: 'Global, system (`unit…`) or external id.' }),
    name: t.string({ description: 'Its name.' }),
    head: t.id({ description: 'Global or system id of the person who leads it.' }),
    members: t.idList({
      description: `Global or system ids of all its members, at most ${bounds.members}.`,
    }),
  }),
});

function checkMembers(check: InputCheck, members: readonly string[] | null | undefined) {
  if (members == null) return undefined;
  if (!check.checkLength(['members'], members, bounds.members)) return [];
  return members.map((id, i) => check.id('Person', id, ['members', i]));
}

builder.mutationField('upsertOrgUnit', (t) =>
  t.field({
    type: Result,
    args: { input: t.arg({ type: Input, required: true, description: 'What to store.' }) },
    description: 'Creates or changes an organizational unit. Needs the role elAdminSysRW.',
    resolve: async (_root, { input }, { dms, loaders }): Promise<Upserted | MutationError> => {
      const checked = checkInput((check) => {
        const change = definedFields({
          name: input.name,
          systemId: check.optionalId('OrgUnit', input.id, ['id']),
          headId: check.optionalId('Person', input.head, ['head']),
          memberIds: checkMembers(check, input.members),
        });
        if (Object.keys(change).length === 0) check.issue([], 'There is nothing to store.');
        return change;
      });
      if ('failure' in checked) return checked.failure;
      const result = await dms.orgUnits.upsert(checked.value);
      if (result.outcome !== 'done') return mutationErrorFrom(result, 'The unit');
      loaders.clear();
      loaders.orgUnit.prime(result.value.systemId, result.value);
      return { __typename: 'UpsertOrgUnitPayload', orgUnit: result.value };
    },
  }),
);
