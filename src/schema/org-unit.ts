import { builder, plainFields } from './builder.ts';
import { definedFields, type InputCheck } from './input/input-check.ts';
import { bounds } from './input/list-bounds.ts';
import { defineResourceMutation } from './input/define-mutation.ts';
import { defineQueryById, keyFields } from './ids.ts';
import { OrgUnitRef, PersonRef } from './refs.ts';
import { objectOf, readRelated, objectField } from './related-objects.ts';

OrgUnitRef.implement({
  description: 'An organizational unit.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    ...keyFields(t, 'OrgUnit', 'System ID, such as `unit0a1f`, or external ID.'),
    ...plainFields(t, 'String', { name: 'Name of the unit, such as `Finance`.' }),
    head: objectField(t, PersonRef, ({ headId }) => headId, {
      description: 'The person who leads the unit.',
    }),
    members: t.field({
      type: [PersonRef],
      nullable: { list: false, items: true },
      upstreamCalls: 'shared',
      description:
        'Members of the unit. An item is null if the person does not exist or reading it failed. Costs one DMS request per member, unless only IDs are selected.',
      resolve: ({ memberIds }, _args, context, info) =>
        readRelated(
          { type: 'Person', length: memberIds?.length ?? 0, ids: () => memberIds ?? [] },
          (id) => objectOf('Person', id, context, info),
          context,
          info,
        ),
    }),
  }),
});

defineQueryById(
  'OrgUnit',
  OrgUnitRef,
  'Global, system or external ID of the unit, such as `unit0a1f`.',
  'Fetches an organizational unit by its ID. Costs one DMS request, or none while it is cached.',
);

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

defineResourceMutation('OrgUnit', 'upsertOrgUnit', {
  ref: OrgUnitRef,
  input: Input,
  descriptions: {
    mutation: 'Creates or updates an organizational unit. Requires the DMS role `elAdminSysRW`.',
    input: 'The unit to create or update.',
    object: 'The created or updated unit.',
  },
  what: 'The unit',
  check(check, input) {
    const change = definedFields({
      name: input.name,
      systemId: check.optionalId('OrgUnit', input.id, ['id']),
      headId: check.optionalId('Person', input.head, ['head']),
      memberIds: checkMembers(check, input.members),
    });
    check.checkSetsField(input);
    return change;
  },
  write: (dms, change) => dms.orgUnits.upsert(change),
});
