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
  description: 'Returned if `upsertOrgUnit` succeeds.',
  fields: (t) => ({
    orgUnit: t.expose('orgUnit', { type: OrgUnitRef, description: 'The created or updated unit.' }),
  }),
});

const Result = builder.unionType('UpsertOrgUnitResult', {
  description: 'The result of `upsertOrgUnit`.',
  types: [Payload, ...mutationErrorRefs],
  resolveType: typeNameOf,
});

const Input = builder.inputType('UpsertOrgUnitInput', {
  description:
    'An organizational unit to create or update. The DMS looks for an existing unit by `id`. If it finds none, it creates a new one. Omitted and null fields stay unchanged.',
  fields: (t) => ({
    id: t.id({ description: 'Global, system or external ID of the unit, such as `unit0a1f`.' }),
    name: t.string({ description: 'Name of the unit.' }),
    head: t.id({
      description: 'Global or system ID of the person who leads the unit, such as `usr-bob`.',
    }),
    members: t.idList({
      description: `Global or system IDs of the members, at most ${bounds.members}. They replace the current members.`,
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
    args: {
      input: t.arg({ type: Input, required: true, description: 'The unit to create or update.' }),
    },
    description: 'Creates or updates an organizational unit. Requires the DMS role `elAdminSysRW`.',
    resolve: async (_root, { input }, { dms, loaders }): Promise<Upserted | MutationError> => {
      const checked = checkInput((check) => {
        const change = definedFields({
          name: input.name,
          systemId: check.optionalId('OrgUnit', input.id, ['id']),
          headId: check.optionalId('Person', input.head, ['head']),
          memberIds: checkMembers(check, input.members),
        });
        check.checkSetsField(input);
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
