import type { Organization, OrganizationChange } from '../../model/organization.ts';
import type { Page, PageRequest } from '../../model/common.ts';
import { resources } from '../../model/resource.ts';
import type { WriteOutcome } from '../../model/write-outcome.ts';
import { read, readReference, write } from './resource-context.ts';
import type { ResourceContext } from './resource-context.ts';
import { queryString, pathSegment } from '../client/path.ts';
import { writeOutcomeFromWire } from '../wire/write-outcome.ts';
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
     * @throws {RestError} `NOT_FOUND` if the organization does not exist
     * @see REST spec, CRM organizations
     */
    async get(id: string): Promise<Organization> {
      return readReference(
        context,
        'organizations',
        {
          route: '/api/v2/crm/org/{id}',
          path: `/api/v2/crm/org/${pathSegment(id)}`,
          label: 'organizations.get',
        },
        ({ body, request }) => organizationFromWire(body, request),
      );
    },

    /**
     * The full ID of the organization that has a full, external or government ID now. Never from the cache.
     *
     * Costs one upstream request.
     * @throws {RestError} `NOT_FOUND` if the organization does not exist
     */
    async fullIdOf(id: string): Promise<string> {
      const { body, request } = await read(context, {
        route: '/api/v2/crm/org/{id}',
        path: `/api/v2/crm/org/${pathSegment(id)}`,
        label: 'organizations.fullIdOf',
      });
      return organizationFromWire(body, request).fullId;
    },

    /** A page of all organizations. Costs one upstream request, none while cached. */
    async list(page: PageRequest): Promise<Page<Organization>> {
      return readReference(
        context,
        'organizations',
        {
          route: '/api/v2/crm/org',
          path: `/api/v2/crm/org${queryString({ first: page.first, pageSize: page.pageSize })}`,
          label: 'organizations.list',
        },
        (response) => pageFromWire(response, page.pageSize, organizationFromWire),
      );
    },

    /**
     * Creates or changes an organization. The DMS finds it by full, external, then government ID. Costs one upstream
     * request.
     */
    async upsert(change: OrganizationChange): Promise<WriteOutcome<Organization>> {
      const response = await write(context, resources.Organization.invalidates, {
        method: 'POST',
        route: '/api/v2/crm/org',
        path: '/api/v2/crm/org',
        label: 'organizations.upsert',
        json: organizationToWire(change),
        expectsBody: true,
      });
      return writeOutcomeFromWire(response, requiredRole, organizationFromWire);
    },

    /** Deletes an organization by full, external or government ID. Costs one upstream request. */
    async remove(id: string): Promise<WriteOutcome<void>> {
      const response = await write(context, resources.Organization.invalidates, {
        method: 'DELETE',
        route: '/api/v2/crm/org/{id}',
        path: `/api/v2/crm/org/${pathSegment(id)}`,
        label: 'organizations.remove',
        expectsBody: false,
      });
      return writeOutcomeFromWire(response, requiredRole, () => {});
    },
  };
}
