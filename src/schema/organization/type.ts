import { builder } from '../builder.ts';
import { defineQueryById, globalIdField } from '../ids.ts';
import { defineConnection, readConnection, type PagedList } from '../paging/connection.ts';
import { costOfPage } from '../paging/read-page.ts';
import { pageArgs, windowOf, type PageArgs } from '../paging/window.ts';
import { ActorRef, ListValueRef, metaField, OrganizationRef, PersonRef } from '../refs.ts';
import { actorOf, objectOf } from '../related-objects.ts';
import type { Organization } from '../../model/organization.ts';

OrganizationRef.implement({
  description: 'An organization in the CRM.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    id: globalIdField(t, 'Organization'),
    fullId: t.expose('fullId', {
      type: 'ObjectID',
      keyOnly: true,
      description: 'Full ID: 24 hexadecimal characters, such as `65f000005eed00c000000001`.',
    }),
    shortId: t.exposeString('shortId', {
      nullable: true,
      description: 'Short ID to show to users, such as `ORG-0001`.',
    }),
    externalId: t.exposeString('externalId', {
      nullable: true,
      description: 'ID of the organization in another system.',
    }),
    governmentId: t.exposeString('governmentId', {
      nullable: true,
      description: 'ID that the authorities assigned, such as a registration number.',
    }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'Name of the organization.',
    }),
    nameExt: t.field({
      type: ['JSON'],
      description: 'Additional names, as the DMS stores them.',
      resolve: ({ nameExt }) => nameExt ?? [],
    }),
    notes: t.exposeString('notes', {
      nullable: true,
      description: 'Notes about the organization.',
    }),
    owner: t.field({
      type: PersonRef,
      nullable: true,
      description:
        'The person who is responsible for the organization. Costs one DMS request, unless only IDs are selected.',
      resolve: ({ owner }, _args, context, info) => objectOf('Person', owner, context, info),
    }),
    author: t.field({
      type: ActorRef,
      nullable: true,
      description:
        'The author of the entry. A person costs one DMS request, unless only IDs are selected.',
      resolve: ({ author }, _args, context, info) => actorOf(author, context, info),
    }),
    areaId: t.expose('areaId', {
      type: 'ObjectID',
      nullable: true,
      description: 'Full ID of the list value in `area`.',
    }),
    area: t.field({
      type: ListValueRef,
      nullable: true,
      description: 'Area of the organization. Costs one DMS request, unless only IDs are selected.',
      resolve: ({ areaId }, _args, context, info) => objectOf('ListValue', areaId, context, info),
    }),
    typeId: t.expose('typeId', {
      type: 'ObjectID',
      nullable: true,
      description: 'Full ID of the list value in `type`.',
    }),
    type: t.field({
      type: ListValueRef,
      nullable: true,
      description: 'Type of the organization. Costs one DMS request, unless only IDs are selected.',
      resolve: ({ typeId }, _args, context, info) => objectOf('ListValue', typeId, context, info),
    }),
    meta: t.expose('meta', metaField),
  }),
});

const OrganizationConnection = defineConnection('Organization', OrganizationRef, {
  one: 'an organization',
  many: 'organizations',
});

const list = { name: 'organizations', scope: '' };

defineQueryById(
  'Organization',
  OrganizationRef,
  'Global, full, external or government ID of the organization, matched in this order.',
  'Fetches an organization by its ID. Costs one DMS request, or none while it is cached.',
);

builder.queryField('organizations', (t) =>
  t.field({
    type: OrganizationConnection,
    args: pageArgs,
    precheck: (args: PageArgs) => {
      windowOf(args, list);
      return costOfPage(args);
    },
    description:
      'Returns a page of the organizations. Costs one DMS request per 100 items; `last` without `before` costs one more.',
    resolve: (_root, args, context, info) => {
      const { dms, loaders } = context;
      const paged: PagedList<Organization> = {
        ...list,
        read: (page) => dms.organizations.list(page),
        prime(items) {
          for (const item of items) loaders.organization.prime(item.fullId, item);
        },
        keyOf: ({ fullId }) => fullId,
      };
      return readConnection(paged, args, context, info);
    },
  }),
);
