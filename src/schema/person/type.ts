import { builder } from '../builder.ts';
import { dmsIdFrom, precheckId, toGlobalId } from '../ids.ts';
import { ActorRef, MetaRef, PersonRef } from '../refs.ts';
import { personOf } from '../related-objects.ts';

const orNull = 'Null where it is not set.';

PersonRef.implement({
  description: 'A user of the DMS.',
  interfaces: [builder.nodeInterfaceRef(), ActorRef],
  fields: (t) => ({
    id: t.id({
      keyOnly: true,
      description: 'The global id: opaque, and unique among all things.',
      resolve: ({ systemId }) => toGlobalId('Person', systemId),
    }),
    systemId: t.exposeString('systemId', {
      keyOnly: true,
      description: 'System id (`usr-…`).',
    }),
    email: t.exposeString('email', { nullable: true, description: `E-mail address. ${orNull}` }),
    firstName: t.exposeString('firstName', {
      nullable: true,
      description: `First name. ${orNull}`,
    }),
    middleName: t.exposeString('middleName', {
      nullable: true,
      description: `Middle name. ${orNull}`,
    }),
    lastName: t.exposeString('lastName', { nullable: true, description: `Last name. ${orNull}` }),
    fullName: t.string({
      nullable: true,
      description: 'First, middle and last name, as far as they are set; null where none is.',
      resolve: ({ firstName, middleName, lastName }) =>
        [firstName, middleName, lastName].filter(Boolean).join(' ') || null,
    }),
    officePhone: t.exposeString('officePhone', {
      nullable: true,
      description: `Phone in the office. ${orNull}`,
    }),
    mobilePhone: t.exposeString('mobilePhone', {
      nullable: true,
      description: `Mobile phone. ${orNull}`,
    }),
    unitName: t.exposeString('unitName', {
      nullable: true,
      description: `Name of the organizational unit. ${orNull}`,
    }),
    deputy: t.expose('deputy', {
      type: DeputyRef,
      nullable: true,
      description: 'Who stands in for this person; null where nobody does.',
    }),
    meta: t.expose('meta', {
      type: MetaRef,
      nullable: true,
      description: 'When it was stored and changed; null where the DMS leaves it out.',
    }),
  }),
});

const DeputyRef = builder.objectRef<{ personId: string; enabled: boolean }>('Deputy');

DeputyRef.implement({
  description: 'Who stands in for a person.',
  fields: (t) => ({
    person: t.field({
      type: PersonRef,
      nullable: true,
      description: 'The person who stands in; null where that person is gone.',
      resolve: ({ personId }, _args, context, info) => personOf(personId, context, info),
    }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether the deputy stands in now.' }),
  }),
});

builder.queryField('person', (t) =>
  t.field({
    type: PersonRef,
    nullable: true,
    args: {
      id: t.arg.id({ required: true, description: 'Global or system id (`usr-…`) of the person.' }),
    },
    precheck: precheckId('Person'),
    description: 'One person; null where there is none.',
    resolve: (_root, { id }, { loaders }) => loaders.person.load(dmsIdFrom('Person', id)),
  }),
);
