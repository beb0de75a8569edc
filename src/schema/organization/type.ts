import { builder } from '../builder.ts';
import { dmsIdFrom, precheckId, toGlobalId } from '../ids.ts';
import {
  edgesOf,
  requestedItems,
  onlyTotal,
  pageArgs,
  pageInfoOf,
  readPage,
  TOTAL_ONLY,
  windowOf,
  type ItemPage,
  type PageArgs,
} from '../paging/connection.ts';
import { selectsOnly } from '../selection/projection.ts';
import { ActorRef, ListValueRef, MetaRef, OrganizationRef, PersonRef } from '../refs.ts';
import { actorOf, listValueOf, personOf } from '../related-objects.ts';
import type { Organization } from '../../model/organization.ts';

OrganizationRef.implement({
  description: 'An organization of the CRM.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    id: t.id({
      keyOnly: true,
      description: 'The global id: opaque, and unique among all things.',
      resolve: ({ fullId }) => toGlobalId('Organization', fullId),
    }),
    fullId: t.expose('fullId', {
      type: 'ObjectID',
      keyOnly: true,
      description: 'The full id: 24 hexadecimal characters (`_id`).',
    }),
    shortId: t.exposeString('shortId', {
      nullable: true,
      description: 'The short id (`_id_web`); null where it has none.',
    }),
    externalId: t.exposeString('externalId', {
      nullable: true,
      description: 'The id in another system (`_id_ext`); null where it has none.',
    }),
    governmentId: t.exposeString('governmentId', {
      nullable: true,
      description: 'The id by which the authorities know it (`govId`); null where it has none.',
    }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'Its name; null where it has none.',
    }),
    nameExt: t.field({
      type: ['JSON'],
      description: 'Further names, as the DMS keeps them (`nameExt`).',
      resolve: ({ nameExt }) => nameExt ?? [],
    }),
    notes: t.exposeString('notes', {
      nullable: true,
      description: 'What was noted about it; null where nothing was.',
    }),
    owner: t.field({
      type: PersonRef,
      nullable: true,
      description: 'The person who looks after it; null where there is none.',
      resolve: ({ owner }, _args, context, info) => personOf(owner, context, info),
    }),
    author: t.field({
      type: ActorRef,
      nullable: true,
      description: 'Who entered it; null where the DMS leaves it out.',
      resolve: ({ author }, _args, context, info) => actorOf(author, context, info),
    }),
    areaId: t.expose('areaId', {
      type: 'ObjectID',
      nullable: true,
      description: 'Full id of the list value that names its area; null where it has none.',
    }),
    area: t.field({
      type: ListValueRef,
      nullable: true,
      description: 'The list value that names its area; null where it has none.',
      resolve: ({ areaId }, _args, context, info) => listValueOf(areaId, context, info),
    }),
    typeId: t.expose('typeId', {
      type: 'ObjectID',
      nullable: true,
      description: 'Full id of the list value that names its type; null where it has none.',
    }),
    type: t.field({
      type: ListValueRef,
      nullable: true,
      description: 'The list value that names its type; null where it has none.',
      resolve: ({ typeId }, _args, context, info) => listValueOf(typeId, context, info),
    }),
    meta: t.expose('meta', {
      type: MetaRef,
      nullable: true,
      description: 'When it was stored and changed; null where the DMS leaves it out.',
    }),
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
        description: 'The organizations of the page, each with its cursor.',
        resolve: edgesOf,
      }),
      nodes: t.field({
        type: [OrganizationRef],
        description: 'The organizations of the page.',
        resolve: ({ items }) => items,
      }),
      pageInfo: t.field({
        type: builder.pageInfoRef(),
        description: 'Where the page stands.',
        resolve: pageInfoOf,
      }),
      totalCount: t.exposeInt('totalCount', {
        nullable: true,
        description: 'How many organizations there are in all; null where the DMS does not tell.',
      }),
    }),
  });

OrganizationEdge.implement({
  description: 'An organization at its place in the list.',
  fields: (t) => ({
    cursor: t.string({
      description: 'Cursor of this place, for `after` and `before`.',
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
        description: 'Global, full, external or government id, tried by the DMS in that order.',
      }),
    },
    precheck: precheckId('Organization'),
    description: 'One organization; null where there is none.',
    resolve: (_root, { id }, { loaders }) =>
      loaders.organization.load(dmsIdFrom('Organization', id)),
  }),
  organizations: t.field({
    type: OrganizationConnection,
    args: pageArgs,
    precheck: (args: PageArgs) => {
      windowOf(args, LIST);
      return { calls: 1, items: requestedItems(args) };
    },
    description: 'The organizations, in the order of the DMS.',
    resolve: (_root, args, { dms, loaders }, info) => {
      const count = async () =>
        (await dms.organizations.list({ first: 0, pageSize: 1 })).totalCount;
      if (selectsOnly(info, TOTAL_ONLY)) {
        windowOf(args, LIST);
        return count().then(onlyTotal<Organization>);
      }
      return readPage(
        args,
        LIST,
        async (page) => {
          const found = await dms.organizations.list(page);
          for (const item of found.items) loaders.organization.prime(item.fullId, item);
          return found;
        },
        count,
      );
    },
  }),
}));
