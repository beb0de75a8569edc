import type { Organization, OrganizationChange } from '../../model/organization.ts';
import type { Page, PageRequest, WriteOutcome } from '../../model/common.ts';
import { resources } from '../../model/resource.ts';
import {
  read,
  readCached,
  readReferenceData,
  targetOf,
  upsert,
  write,
  type ResourceContext,
} from './resource-context.ts';
import { queryString } from '../wire/path.ts';
import { organizationFromWire, organizationToWire } from '../wire/organization.ts';
import { pageFromWire } from '../wire/parse.ts';

const requiredRole = 'elAdminCrmRW';

/** Organizations of the CRM directory, which are cached. REST spec, CRM organizations. */
export function organizationResource(context: ResourceContext) {
  return {
    /**
     * One organization by full, external or government ID. The DMS tries them in this order.
     *
     * Costs one upstream request, none while cached.
     * @see REST spec, CRM organizations
     */
    async get(id: string): Promise<Organization> {
      const target = targetOf('organizations.get', '/api/v2/crm/org/{id}', id);
      return readReferenceData(context, 'organizations', target, organizationFromWire);
    },

    async getStored(id: string): Promise<Organization> {
      const target = targetOf('organizations.getStored', '/api/v2/crm/org/{id}', id);
      const { body, request } = await read(context, target);
      return organizationFromWire(body, request);
    },

    async list({ first, pageSize }: PageRequest): Promise<Page<Organization>> {
      const route = '/api/v2/crm/org';
      const path = route + queryString({ first, pageSize });
      const target = { route, path, label: 'organizations.list' };
      const load = () => read(context, target);
      return readCached(context, 'organizations', target, path, load, (response) =>
        pageFromWire(response, pageSize, organizationFromWire),
      );
    },

    upsert(change: OrganizationChange): Promise<WriteOutcome<Organization>> {
      const target = targetOf('organizations.upsert', '/api/v2/crm/org');
      const json = organizationToWire(change);
      return upsert(context, 'Organization', target, json, requiredRole, organizationFromWire);
    },

    async remove(id: string): Promise<WriteOutcome<void>> {
      const target = targetOf('organizations.remove', '/api/v2/crm/org/{id}', id);
      const call = { ...target, method: 'DELETE', expectsBody: false } as const;
      return write(
        context,
        { resources: resources.Organization.invalidates },
        call,
        requiredRole,
        () => {},
      );
    },
  };
}
