import { builder } from '../builder.ts';
import { dmsIdFrom, globalIdField, precheckId } from '../ids.ts';
import {
  costOfPage,
  edgesOf,
  onlyTotal,
  pageArgs,
  pageInfoOf,
  readPage,
  TOTAL_ONLY,
  totalOf,
  windowOf,
  type ItemPage,
  type PageArgs,
} from '../paging/connection.ts';
import { selectsOnly } from '../plan/requirements.ts';
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

const OrganizationEdge = builder.objectRef<{ node: Organization; cursor: () => string }>(
  'OrganizationEdge',
);

const OrganizationConnection = builder
  .objectRef<ItemPage<Organization>>('OrganizationConnection')
  .implement({
    description: 'A page of organizations.',
    fields: (t) => ({
      edges: t.field({
        type: [OrganizationEdge],
        description: 'Organizations of the page with their cursors.',
        resolve: edgesOf,
      }),
      nodes: t.field({
        type: [OrganizationRef],
        description: 'Organizations of the page.',
        resolve: ({ items }) => items,
      }),
      pageInfo: t.field({
        type: builder.pageInfoRef(),
        description: 'Position of the page within the list.',
        resolve: pageInfoOf,
      }),
      totalCount: t.exposeInt('totalCount', {
        nullable: true,
        description:
          'Number of organizations in the whole list. Null if the DMS does not report it.',
      }),
    }),
  });

OrganizationEdge.implement({
  description: 'An organization of a page, with its cursor.',
  fields: (t) => ({
    cursor: t.string({
      description: 'Cursor of the item, for `after` and `before`.',
      resolve: ({ cursor }) => cursor(),
    }),
    node: t.expose('node', { type: OrganizationRef, description: 'The organization.' }),
  }),
});

const LIST = { name: 'organizations', scope: '' };

builder.queryFields((t) => ({
  organization: t.field({
    type: OrganizationRef,
    nullable: true,
    args: {
      id: t.arg.id({
        required: true,
        description:
          'Global, full, external or government ID of the organization, matched in this order.',
      }),
    },
    precheck: precheckId('Organization'),
    description:
      'Fetches an organization by its ID. Costs one DMS request, or none while it is cached.',
    resolve: (_root, { id }, { loaders }) =>
      loaders.organization.load(dmsIdFrom('Organization', id)),
  }),
  organizations: t.field({
    type: OrganizationConnection,
    args: pageArgs,
    precheck: (args: PageArgs) => {
      windowOf(args, LIST);
      return costOfPage(args);
    },
    description:
      'Returns a page of the organizations. Costs one DMS request per 100 items; `last` without `before` costs one more.',
    resolve: (_root, args, context, info) => {
      const { dms, loaders } = context;
      const count = async () =>
        (await dms.organizations.list({ first: 0, pageSize: 1 })).totalCount;
      const readAll = (): Promise<ItemPage<Organization>> =>
        readPage(args, LIST, {
          async read(page) {
            const found = await dms.organizations.list(page);
            for (const item of found.items) loaders.organization.prime(item.fullId, item);
            return found;
          },
          count,
          keyOf: ({ fullId }) => fullId,
        });
      if (selectsOnly(info, TOTAL_ONLY)) {
        windowOf(args, LIST);
        return totalOf(count, context, info).then((total) => onlyTotal(total, readAll));
      }
      return readAll();
    },
  }),
}));
