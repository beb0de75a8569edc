import { builder } from '../builder.ts';
import { dmsIdFrom, globalIdField, precheckId } from '../ids.ts';
import { ActorRef, metaField, PersonRef } from '../refs.ts';
import { objectOf } from '../related-objects.ts';

PersonRef.implement({
  description: 'A user of the DMS.',
  interfaces: [builder.nodeInterfaceRef(), ActorRef],
  fields: (t) => ({
    id: globalIdField(t, 'Person'),
    systemId: t.exposeString('systemId', {
      keyOnly: true,
      description: 'System ID, such as `usr-ann`.',
    }),
    email: t.exposeString('email', { nullable: true, description: 'E-mail address.' }),
    firstName: t.exposeString('firstName', {
      nullable: true,
      description: 'First name.',
    }),
    middleName: t.exposeString('middleName', {
      nullable: true,
      description: 'Middle name.',
    }),
    lastName: t.exposeString('lastName', { nullable: true, description: 'Last name.' }),
    fullName: t.string({
      nullable: true,
      description: 'First, middle and last name, separated by spaces. Missing parts are omitted.',
      resolve: ({ firstName, middleName, lastName }) =>
        [firstName, middleName, lastName].filter(Boolean).join(' ') || null,
    }),
    officePhone: t.exposeString('officePhone', {
      nullable: true,
      description: 'Office phone number.',
    }),
    mobilePhone: t.exposeString('mobilePhone', {
      nullable: true,
      description: 'Mobile phone number.',
    }),
    unitName: t.exposeString('unitName', {
      nullable: true,
      description: 'Name of the organizational unit, such as `Finance`.',
    }),
    deputy: t.expose('deputy', {
      type: DeputyRef,
      nullable: true,
      description: 'The deputy of this person.',
    }),
    meta: t.expose('meta', metaField),
  }),
});

const DeputyRef = builder.objectRef<{ personId: string; enabled: boolean }>('Deputy');

DeputyRef.implement({
  description: 'The deputy of a person.',
  fields: (t) => ({
    person: t.field({
      type: PersonRef,
      nullable: true,
      description:
        'The person who acts as deputy. Costs one DMS request, unless only IDs are selected.',
      resolve: ({ personId }, _args, context, info) => objectOf('Person', personId, context, info),
    }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether the deputy is active.' }),
  }),
});

builder.queryField('person', (t) =>
  t.field({
    type: PersonRef,
    nullable: true,
    args: {
      id: t.arg.id({
        required: true,
        description: 'Global or system ID of the person, such as `usr-ann`.',
      }),
    },
    precheck: precheckId('Person'),
    description: 'Fetches a person by its ID. Costs one DMS request, or none while it is cached.',
    resolve: (_root, { id }, { loaders }) => loaders.person.load(dmsIdFrom('Person', id)),
  }),
);
