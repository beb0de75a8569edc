import type { Person } from '../model/person.ts';
import { builder, globalIdDescription, plainFields } from './builder.ts';
import { defineQueryById, keyFields, toGlobalId } from './ids.ts';
import { definedFields } from './input/input-check.ts';
import { defineResourceMutation } from './input/define-mutation.ts';
import { ActorRef, metaField, PersonRef, ServiceAccountRef } from './refs.ts';
import { isServiceAccount, objectField } from './related-objects.ts';

PersonRef.implement({
  description: 'A user of the DMS.',
  interfaces: [builder.nodeInterfaceRef(), ActorRef],
  fields: (t) => ({
    ...keyFields(t, 'Person', 'System ID, such as `usr-ann`.'),
    ...plainFields(t, 'String', {
      email: 'E-mail address.',
      firstName: 'First name.',
      middleName: 'Middle name.',
      lastName: 'Last name.',
      officePhone: 'Office phone number.',
      mobilePhone: 'Mobile phone number.',
      unitName: 'Name of the organizational unit, such as `Finance`.',
    }),
    fullName: t.string({
      nullable: true,
      description:
        'First, middle and last name, separated by spaces. Missing parts are omitted. To show a name in any case, select `displayName`.',
      resolve: fullNameOf,
    }),
    displayName: t.string({
      nullable: true,
      description: '`fullName`, or `systemId` if the person has no name.',
      resolve: (person) => fullNameOf(person) ?? person.systemId,
    }),
    deputy: t.expose('deputy', {
      type: DeputyRef,
      nullable: true,
      description: 'The deputy of this person.',
    }),
    meta: t.expose('meta', metaField),
  }),
});

function fullNameOf({ firstName, middleName, lastName }: Partial<Person>): string | null {
  return [firstName, middleName, lastName].filter(Boolean).join(' ') || null;
}

const DeputyRef = builder.objectRef<{ personId: string; enabled: boolean }>('Deputy');

DeputyRef.implement({
  description: 'The deputy of a person.',
  fields: (t) => ({
    person: objectField(t, PersonRef, ({ personId }) => personId, {
      description: 'The person who acts as deputy.',
    }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether the deputy is active.' }),
  }),
});

ActorRef.implement({
  description: 'The author of an object: a person or a service account.',
  resolveType: ({ systemId }) => typeOfActor(systemId),
  fields: (t) => ({
    id: t.id({
      keyOnly: true,
      description: globalIdDescription,
      resolve: ({ systemId }) => toGlobalId(typeOfActor(systemId), systemId),
    }),
    systemId: t.exposeString('systemId', {
      keyOnly: true,
      description:
        'System ID: `usr-…` for a person, `api-…` for a service account. Select `id` for a cache, and this to show it or to compare it with an ID of the DMS.',
    }),
    displayName: t.exposeString('systemId', {
      nullable: true,
      keyOnly: true,
      description:
        'Name to show to users: the full name of a person, otherwise the system ID. That of a person costs one DMS request, or none while the person is cached.',
    }),
  }),
});

const typeOfActor = (systemId: string) =>
  isServiceAccount(systemId) ? 'ServiceAccount' : 'Person';

ServiceAccountRef.implement({
  description: 'An application that uses the DMS with an account of its own.',
  interfaces: [builder.nodeInterfaceRef(), ActorRef],
});

defineQueryById(
  'Person',
  PersonRef,
  'Global or system ID of the person, such as `usr-ann`.',
  'Fetches a person by its ID. Costs one DMS request, or none while it is cached.',
);

const ViewerRef = builder.objectRef<{ runAs: string | null }>('Viewer').implement({
  description: 'The user on whose behalf the request runs.',
  fields: (t) => ({
    ...plainFields(t, 'String', {
      runAs:
        'System ID or e-mail address of the user, such as `usr-ann`. Null if the request runs as the service account itself.',
    }),
    person: objectField(t, PersonRef, ({ runAs }) => (runAs?.startsWith('usr-') ? runAs : null), {
      description:
        'The user as a person. Null for the service account, and if the user is known only by e-mail address: the DMS finds persons by system ID only.',
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: ViewerRef,
    description: 'Returns the user on whose behalf the request runs.',
    resolve: (_root, _args, { runAs }) => ({ runAs }),
  }),
);

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

defineResourceMutation('Person', 'updatePerson', {
  ref: PersonRef,
  input: Input,
  descriptions: {
    mutation: 'Updates a person. Requires the DMS role `elAdminSysRW`.',
    input: 'The changes to the person.',
    object: 'The updated person.',
  },
  what: 'The person',
  check(check, { id, deputy, ...plain }) {
    const systemId = check.id('Person', id, ['id']);
    const personId = check.optionalId('Person', deputy?.person, ['deputy', 'person']);
    const change = definedFields({
      ...plain,
      deputy: personId === undefined ? null : { personId, enabled: deputy!.enabled },
    });
    if (plain.password === '') check.issue(['password'], 'The password must not be empty.');
    check.checkSetsField({ ...plain, deputy }, 'Set at least one field to change.');
    return { systemId, change };
  },
  write: (dms, { systemId, change }) => dms.persons.update(systemId, change),
});
