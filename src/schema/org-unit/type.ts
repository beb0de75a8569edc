import { builder } from '../builder.ts';
import { withNullableItems } from '../nullable-items.ts';
import { dmsIdFrom, precheckId, toGlobalId } from '../ids.ts';
import { OrgUnitRef, PersonRef } from '../refs.ts';
import { personOf } from '../related-objects.ts';

OrgUnitRef.implement({
  description: 'An organizational unit.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    id: t.id({
      keyOnly: true,
      description: 'The global id: opaque, and unique among all things.',
      resolve: ({ systemId }) => toGlobalId('OrgUnit', systemId),
    }),
    systemId: t.exposeString('systemId', {
      keyOnly: true,
      description: 'System id (`unit…`) or external id.',
    }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'Its name; null where it has none.',
    }),
    head: t.field({
      type: PersonRef,
      nullable: true,
      description: 'The person who leads the unit; null where it has none.',
      resolve: ({ headId }, _args, context, info) => personOf(headId, context, info),
    }),
    members: t.field({
      type: [PersonRef],
      nullable: { list: false, items: true },
      description:
        'Its members, in the order of the DMS. One that cannot be read is null, with an error; one that is gone is null.',
      resolve: ({ memberIds }, _args, context, info) =>
        withNullableItems((memberIds ?? []).map((id) => personOf(id, context, info))),
    }),
  }),
});

builder.queryField('orgUnit', (t) =>
  t.field({
    type: OrgUnitRef,
    nullable: true,
    args: {
      id: t.arg.id({
        required: true,
        description: 'Global, system (`unit…`) or external id of the unit.',
      }),
    },
    precheck: precheckId('OrgUnit'),
    description: 'One organizational unit; null where there is none.',
    resolve: (_root, { id }, { loaders }) => loaders.orgUnit.load(dmsIdFrom('OrgUnit', id)),
  }),
);
