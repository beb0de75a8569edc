import { isDeepStrictEqual } from 'node:util';
import { builder, plainFields } from './builder.ts';
import { isFullId } from '../model/resource.ts';
import { defineQueryById, keyFields, ownIdIn, toGlobalId } from './ids.ts';
import { checkInput, definedFields } from './input/input-check.ts';
import { bounds } from './input/list-bounds.ts';
import { mutationErrorFrom, notFound, validationError } from './input/mutation-error.ts';
import { defineMutation, defineResourceMutation } from './input/define-mutation.ts';
import { ActorRef, ListValueRef, metaField, OrganizationRef, PersonRef } from './refs.ts';
import { objectField } from './related-objects.ts';
import type { GatewayContext } from '../context.ts';
import { noRequirements } from '../model/document-requirements.ts';
import type { Organization } from '../model/organization.ts';
import { defineConnection, readConnection, type PagedList } from './paging/connection.ts';
import { costOfPage, costOfWhole, maxCostOfPage } from './paging/read-page.ts';
import {
  checkCursors,
  pageArgs,
  parseWindow,
  type List,
  type PageArgs,
  type Window,
} from './paging/window.ts';
import { parsedArgs } from './plan/parsed-arguments.ts';
import { maxSearchLength, search, searchWords, type SearchedTexts } from './search.ts';

OrganizationRef.implement({
  description: 'An organization in the CRM.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    ...keyFields(
      t,
      'Organization',
      'Full ID: 24 hexadecimal characters, such as `65f000005eed00c000000001`.',
    ),
    ...plainFields(t, 'String', {
      shortId: 'Short ID to show to users, such as `ORG-0001`.',
      externalId: 'ID of the organization in another system.',
      governmentId: 'ID that the authorities assigned, such as a registration number.',
      name: 'Name of the organization.',
      notes: 'Notes about the organization.',
    }),
    nameExt: t.field({
      type: ['JSON'],
      description: 'Additional names, as the DMS stores them.',
      resolve: ({ nameExt }) => nameExt ?? [],
    }),
    owner: objectField(t, PersonRef, ({ owner }) => owner, {
      description: 'The person who is responsible for the organization.',
    }),
    author: objectField(t, ActorRef, ({ author }) => author, {
      description: 'The author of the entry.',
    }),
    ...plainFields(t, 'ObjectID', {
      areaId: 'Full ID of the list value in `area`.',
      typeId: 'Full ID of the list value in `type`.',
    }),
    area: objectField(t, ListValueRef, ({ areaId }) => areaId, {
      description: 'Area of the organization.',
    }),
    type: objectField(t, ListValueRef, ({ typeId }) => typeId, {
      description: 'Type of the organization.',
    }),
    meta: t.expose('meta', metaField),
  }),
});

defineQueryById(
  'Organization',
  OrganizationRef,
  'Global, full, external or government ID of the organization, matched in this order.',
  'Fetches an organization by its ID. Costs one DMS request, or none while it is cached.',
);

const maxSearched = 2000;

const OrganizationConnection = defineConnection('Organization', OrganizationRef, {
  one: 'an organization',
  many: 'organizations',
});

interface ListArgs extends PageArgs {
  readonly search?: string | null | undefined;
}

interface ListRequest {
  readonly words: readonly string[];
  readonly list: List;
  readonly window: Window;
}

function parseList(args: ListArgs): ListRequest {
  const words = searchWords(args.search);
  const list = { name: 'organizations', scope: words.join(' ') };
  const window = parseWindow(args, list.name);
  checkCursors(window, list);
  return { words, list, window };
}

builder.queryField('organizations', (t) =>
  t.field({
    type: OrganizationConnection,
    args: {
      search: t.arg.string({
        description: `Return only organizations whose name, external ID or government ID contains each of these words, regardless of case and accents; at most ${maxSearchLength} characters. Blank text matches all. The DMS cannot search, so the gateway reads the whole directory, which can have at most ${maxSearched} organizations: one DMS request per 100, or none while it is cached. A longer directory is rejected with \`BAD_USER_INPUT\`.`,
      }),
      ...pageArgs,
    },
    parse: parseList,
    limitCost: ({ words, window }: ListRequest) =>
      words.length === 0 ? costOfPage(window) : costOfWhole(window, maxSearched),
    cost: ({ words, window }: ListRequest) =>
      words.length === 0 ? maxCostOfPage(window) : { items: window.size },
    description:
      'Returns a page of the organizations. Costs one DMS request per 100 items; `last` without `before` costs one more. With `search`, costs one per 100 organizations of the whole directory.',
    resolve: (_root, args, context, info) => {
      const { dms, loaders } = context;
      const { words, list, window } = parsedArgs(parseList, args, context, info);
      const paged: PagedList<Organization> = {
        ...list,
        read: (page) => dms.organizations.list(page),
        prime(items) {
          for (const item of items) loaders.organization.prime(item.fullId, item);
        },
        keyOf: ({ fullId }) => fullId,
        whole: words.length === 0 ? undefined : matchesOf(words, dms),
      };
      return readConnection(paged, window, context, info);
    },
  }),
);

function matchesOf(words: readonly string[], dms: GatewayContext['dms']) {
  return {
    max: maxSearched,
    requires: noRequirements,
    tooLong: (length: number | string) =>
      `\`search\` reads at most ${maxSearched} organizations, but the directory has ${length}. Fetch one with \`organization(id:)\`, or page without \`search\`.`,
    arrange: (organizations: readonly Organization[]) => search(organizations, words, textsOf, dms),
  };
}

const textsOf = (organization: Organization): readonly SearchedTexts[] => {
  const { name, externalId, governmentId } = organization;
  // A cached organization is the same object for all operations.
  return [{ key: organization, texts: [[name, externalId, governmentId].join('\n')] }];
};

const UpsertInput = builder.inputType('UpsertOrganizationInput', {
  description:
    'An organization to create or update. The DMS looks for an existing organization by `id`, then by `externalId`, then by `governmentId`. If it finds none, it creates a new one. Omitted and null fields stay unchanged.',
  fields: (t) => ({
    id: t.id({ description: 'Global or full ID of the organization.' }),
    externalId: t.string({ description: 'ID of the organization in another system.' }),
    governmentId: t.string({
      description: 'ID that the authorities assigned, such as a registration number.',
    }),
    name: t.string({ description: 'Name of the organization.' }),
    nameExt: t.field({
      type: ['JSON'],
      description: `Additional names, which the DMS stores as they are: at most ${bounds.additionalNames}, each with at most ${bounds.additionalNameLength} characters as JSON. A number beyond 2^53 is rejected. One that the DMS stores is read as a text, and stays as it is if the list is written back unchanged, which costs one additional DMS request.`,
    }),
    notes: t.string({ description: 'Notes about the organization.' }),
    owner: t.id({
      description: 'Global or system ID of the responsible person, such as `usr-ann`.',
    }),
    areaId: t.id({ description: 'Global or full ID of the list value for the area.' }),
    typeId: t.id({ description: 'Global or full ID of the list value for the type.' }),
  }),
});

defineResourceMutation('Organization', 'upsertOrganization', {
  ref: OrganizationRef,
  input: UpsertInput,
  descriptions: {
    mutation: 'Creates or updates an organization. Requires the DMS role `elAdminCrmRW`.',
    input: 'The organization to create or update.',
    object: 'The created or updated organization.',
  },
  what: 'The organization',
  check(check, input) {
    const { id, externalId, governmentId, owner, areaId, typeId, nameExt, ...plain } = input;
    const change = definedFields({
      ...plain,
      fullId: check.optionalFullId('Organization', id, ['id']),
      externalId: check.optionalForeignId(externalId, ['externalId']),
      governmentId: check.optionalForeignId(governmentId, ['governmentId']),
      nameExt: check.additionalNames(nameExt),
      owner: check.optionalId('Person', owner, ['owner']),
      areaId: check.optionalId('ListValue', areaId, ['areaId']),
      typeId: check.optionalId('ListValue', typeId, ['typeId']),
    });
    check.checkSetsField(input);
    return change;
  },
  calls: ({ nameExt }) => (longNumbersIn(nameExt).length > 0 ? 2 : 1),
  async write(dms, change, loaders) {
    const { nameExt, ...others } = change;
    const id = change.fullId ?? change.externalId ?? change.governmentId;
    if (id === undefined || longNumbersIn(nameExt).length === 0) {
      return dms.organizations.upsert(change);
    }
    const { nameExt: stored = [] } = (await loaders.storedOrganization.load(id)) ?? {};
    if (isDeepStrictEqual(stored, nameExt)) return dms.organizations.upsert(others);
    const known = new Set(longNumbersIn(stored));
    const index = nameExt!.findIndex((name) => longNumbersIn(name).some((one) => known.has(one)));
    if (index === -1) return dms.organizations.upsert(change);
    const message =
      'A number beyond 2^53 would become a text. Send `nameExt` unchanged, or without this name.';
    return validationError([{ path: ['nameExt', `${index}`], message }]);
  },
});

/**
 * The texts in a JSON value that can be numbers of the DMS. The gateway reads numbers beyond 2^53 as texts, and would
 * write them back as such.
 */
function longNumbersIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null)
    return Object.values(value).flatMap(longNumbersIn);
  const isLong = typeof value === 'string' && Math.abs(Number(value)) > Number.MAX_SAFE_INTEGER;
  return isLong ? [value] : [];
}

const DeleteInput = builder.inputType('DeleteOrganizationInput', {
  description: 'The organization to delete.',
  fields: (t) => ({
    id: t.id({
      required: true,
      description:
        'Global, full, external or government ID of the organization. An external or government ID costs one additional DMS request.',
    }),
  }),
});

defineMutation<typeof DeleteInput.$inferInput, { readonly deletedId: string }>(
  'deleteOrganization',
  {
    input: DeleteInput,
    calls: ({ id }) => (isFullId(ownIdIn(id)) ? 1 : 2),
    descriptions: {
      mutation: 'Deletes an organization. Requires the DMS role `elAdminCrmRW`.',
      input: 'The organization to delete.',
    },
    fields: (t) => ({
      deletedId: t.exposeID('deletedId', {
        description:
          'Global ID of the deleted organization. Use it to remove the organization from client caches.',
      }),
    }),
    async resolve(input, { dms, loaders }) {
      const checked = checkInput((check) => check.id('Organization', input.id, ['id']));
      if ('failure' in checked) return checked.failure;
      // An external or government ID can be reassigned before the deletion, so the organization is deleted by its full
      // ID. A cached one could be that of the organization that had the ID before.
      const fullId = isFullId(checked.value)
        ? checked.value
        : (await loaders.storedOrganization.load(checked.value))?.fullId;
      if (fullId === undefined) return notFound('The organization was not found.');
      const result = await dms.organizations.remove(fullId);
      if (result.outcome !== 'done') return mutationErrorFrom(result, 'The organization');
      loaders.clear();
      return { deletedId: toGlobalId('Organization', fullId) };
    },
  },
);
