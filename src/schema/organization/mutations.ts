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
  description: 'An organization that was created or changed.',
  fields: (t) => ({
    organization: t.expose('organization', {
      type: OrganizationRef,
      description: 'The organization as it is stored now.',
    }),
  }),
});

const DeletePayload = builder.objectRef<Deleted>('DeleteOrganizationPayload').implement({
  description: 'An organization that was deleted.',
  fields: (t) => ({
    deletedId: t.exposeID('deletedId', { description: 'The global id that it had.' }),
  }),
});

const UpsertResult = builder.unionType('UpsertOrganizationResult', {
  description: 'What became of upsertOrganization.',
  types: [UpsertPayload, ...mutationErrorRefs],
  resolveType: typeNameOf,
});

const DeleteResult = builder.unionType('DeleteOrganizationResult', {
  description: 'What became of deleteOrganization.',
  types: [DeletePayload, ...mutationErrorRefs],
  resolveType: typeNameOf,
});

const UpsertInput = builder.inputType('UpsertOrganizationInput', {
  description:
    'The entry to change is found by `id`, then `externalId`, then `governmentId`; where none is found or given, a new one is created. What is left out or null stays as it is.',
  fields: (t) => ({
    id: t.id({ description: 'Global or full id.' }),
    externalId: t.string({ description: 'The id in another system.' }),
    governmentId: t.string({ description: 'The id by which the authorities know it.' }),
    name: t.string({ description: 'Its name.' }),
    nameExt: t.field({
      type: ['JSON'],
      description: `Further names, as the DMS keeps them: at most ${bounds.furtherNames}, each with at most ${bounds.furtherNameLength} characters as JSON.`,
    }),
    notes: t.string({ description: 'Notes about it.' }),
    owner: t.id({ description: 'Global or system id of the person who looks after it.' }),
    areaId: t.id({ description: 'Global or full id of the list value that names its area.' }),
    typeId: t.id({ description: 'Global or full id of the list value that names its type.' }),
  }),
});

const DeleteInput = builder.inputType('DeleteOrganizationInput', {
  description: 'Which organization to delete.',
  fields: (t) => ({
    id: t.id({
      required: true,
      description:
        'Global, full, external or government id. By the last two it is looked up first, which costs one more request.',
    }),
  }),
});

builder.mutationFields((t) => ({
  upsertOrganization: t.field({
    type: UpsertResult,
    args: { input: t.arg({ type: UpsertInput, required: true, description: 'What to store.' }) },
    description: 'Creates or changes an organization. Needs the role elAdminCrmRW.',
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
        if (Object.keys(change).length === 0) check.issue([], 'There is nothing to store.');
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
    args: { input: t.arg({ type: DeleteInput, required: true, description: 'What to delete.' }) },
    description: 'Deletes an organization. Needs the role elAdminCrmRW.',
    resolve: async (_root, { input }, { dms, loaders }): Promise<Deleted | MutationError> => {
      const checked = checkInput((check) => check.id('Organization', input.id, ['id']));
      if ('failure' in checked) return checked.failure;
      const missing = notFound('The organization was not found.');
      // Found by one of its other ids, it is deleted by its full id: those may name another one by then.
      const fullId = isFullId(checked.value)
        ? checked.value
        : (await loaders.organization.load(checked.value))?.fullId;
      if (fullId === undefined) return missing;
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
