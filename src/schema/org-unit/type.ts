import { builder } from '../builder.ts';
import { dmsIdFrom, globalIdField, precheckId } from '../ids.ts';
import { OrgUnitRef, PersonRef } from '../refs.ts';
import { objectOf, readItems } from '../related-objects.ts';

OrgUnitRef.implement({
  description: 'An organizational unit.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    id: globalIdField(t, 'OrgUnit'),
    systemId: t.exposeString('systemId', {
      keyOnly: true,
      description: 'System ID, such as `unit0a1f`, or external ID.',
    }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'Name of the unit, such as `Finance`.',
    }),
    head: t.field({
      type: PersonRef,
      nullable: true,
      description:
        'The person who leads the unit. Costs one DMS request, unless only IDs are selected.',
      resolve: ({ headId }, _args, context, info) => objectOf('Person', headId, context, info),
    }),
    members: t.field({
      type: [PersonRef],
      nullable: { list: false, items: true },
      description:
        'Members of the unit. An item is null if the person does not exist or reading it failed. Costs one DMS request per member, unless only IDs are selected.',
      resolve: ({ memberIds }, _args, context, info) =>
        readItems(memberIds ?? [], (id) => objectOf('Person', id, context, info), context, info),
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
        description: 'Global, system or external ID of the unit, such as `unit0a1f`.',
      }),
    },
    precheck: precheckId('OrgUnit'),
    description:
      'Fetches an organizational unit by its ID. Costs one DMS request, or none while it is cached.',
    resolve: (_root, { id }, { loaders }) => loaders.orgUnit.load(dmsIdFrom('OrgUnit', id)),
  }),
);
