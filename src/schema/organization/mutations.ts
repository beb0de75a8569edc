import type { Organization } from '../../model/organization.ts';
import { bounds } from '../input/list-bounds.ts';
import { builder } from '../builder.ts';
import {
  mutationErrorFrom,
  mutationErrorRefs,
  notFound,
  typeNameOf,
  type MutationError,
} from '../input/mutation-error.ts';
import { isFullId } from '../../model/id.ts';
import { toGlobalId } from '../ids.ts';
import { checkInput, definedFields } from '../input/input-check.ts';
import { OrganizationRef } from '../refs.ts';

interface Upserted {
  readonly __typename: 'UpsertOrganizationPayload';
  readonly organization: Organization;
}

interface Deleted {
  readonly __typename: 'DeleteOrganizationPayload';
  readonly deletedId: string;
}

const UpsertPayload = builder.objectRef<Upserted>('UpsertOrganizationPayload').implement({
  description: 'Returned if `upsertOrganization` succeeds.',
  fields: (t) => ({
    organization: t.expose('organization', {
      type: OrganizationRef,
      description: 'The created or updated organization.',
    }),
  }),
});

const DeletePayload = builder.objectRef<Deleted>('DeleteOrganizationPayload').implement({
  description: 'Returned if `deleteOrganization` succeeds.',
  fields: (t) => ({
    deletedId: t.exposeID('deletedId', {
      description:
        'Global ID of the deleted organization. Use it to remove the organization from client caches.',
    }),
  }),
});

const UpsertResult = builder.unionType('UpsertOrganizationResult', {
  description: 'The result of `upsertOrganization`.',
  types: [UpsertPayload, ...mutationErrorRefs],
  resolveType: typeNameOf,
});

const DeleteResult = builder.unionType('DeleteOrganizationResult', {
  description: 'The result of `deleteOrganization`.',
  types: [DeletePayload, ...mutationErrorRefs],
  resolveType: typeNameOf,
});

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
      description: `Additional names, which the DMS stores as they are: at most ${bounds.furtherNames}, each with at most ${bounds.furtherNameLength} characters as JSON.`,
    }),
    notes: t.string({ description: 'Notes about the organization.' }),
    owner: t.id({
      description: 'Global or system ID of the responsible person, such as `usr-ann`.',
    }),
    areaId: t.id({ description: 'Global or full ID of the list value for the area.' }),
    typeId: t.id({ description: 'Global or full ID of the list value for the type.' }),
  }),
});

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

builder.mutationFields((t) => ({
  upsertOrganization: t.field({
    type: UpsertResult,
    args: {
      input: t.arg({
        type: UpsertInput,
        required: true,
        description: 'The organization to create or update.',
      }),
    },
    description: 'Creates or updates an organization. Requires the DMS role `elAdminCrmRW`.',
    resolve: async (_root, { input }, { dms, loaders }): Promise<Upserted | MutationError> => {
      const { id, externalId, governmentId, owner, areaId, typeId, nameExt, ...plain } = input;
      const checked = checkInput((check) => {
        const change = definedFields({
          ...plain,
          fullId: check.optionalFullId('Organization', id, ['id']),
          externalId: check.optionalForeignId(externalId, ['externalId']),
          governmentId: check.optionalForeignId(governmentId, ['governmentId']),
          nameExt: check.furtherNames(nameExt),
          owner: check.optionalId('Person', owner, ['owner']),
          areaId: check.optionalId('ListValue', areaId, ['areaId']),
          typeId: check.optionalId('ListValue', typeId, ['typeId']),
        });
        check.checkSetsField(input);
        return change;
      });
      if ('failure' in checked) return checked.failure;
      const result = await dms.organizations.upsert(checked.value);
      if (result.outcome !== 'done') return mutationErrorFrom(result, 'The organization');
      loaders.clear();
      loaders.organization.prime(result.value.fullId, result.value);
      return { __typename: 'UpsertOrganizationPayload', organization: result.value };
    },
  }),
  deleteOrganization: t.field({
    type: DeleteResult,
    args: {
      input: t.arg({
        type: DeleteInput,
        required: true,
        description: 'The organization to delete.',
      }),
    },
    description: 'Deletes an organization. Requires the DMS role `elAdminCrmRW`.',
    resolve: async (_root, { input }, { dms, loaders }): Promise<Deleted | MutationError> => {
      const checked = checkInput((check) => check.id('Organization', input.id, ['id']));
      if ('failure' in checked) return checked.failure;
      // An external or government ID can be reassigned before the deletion, so the organization is deleted by its full
      // ID. A cached one could be that of the organization that had the ID before.
      const fullId = isFullId(checked.value)
        ? checked.value
        : await loaders.organizationFullId.load(checked.value);
      if (fullId === null) return notFound('The organization was not found.');
      const result = await dms.organizations.remove(fullId);
      if (result.outcome !== 'done') return mutationErrorFrom(result, 'The organization');
      loaders.clear();
      return {
        __typename: 'DeleteOrganizationPayload',
        deletedId: toGlobalId('Organization', fullId),
      };
    },
  }),
}));
