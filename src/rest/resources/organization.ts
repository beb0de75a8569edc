import type { Organization, OrganizationChange } from '../../model/organization.ts';
import type { Page, PageRequest } from '../../model/page.ts';
import type { Write } from '../../model/write-outcome.ts';
import { readReference, write } from './resource-context.ts';
import type { Endpoint } from './resource-context.ts';
import { query, segment } from '../client/path.ts';
import { writeFrom } from '../wire/write-outcome.ts';
import { organizationFromWire, organizationToWire } from '../wire/organization.ts';
import { totalCountFrom } from '../wire/page.ts';
import { array } from '../wire/parse.ts';

const requiredRole = 'elAdminCrmRW';

export function organizationsApi(endpoint: Endpoint) {
  return {
    /**
     * One organization by full, external or government id, tried by the DMS in that order.
     *
     * Costs one upstream request, none while it is kept.
     * @throws {RestError} `NOT_FOUND` when there is no such organization
     * @see REST spec, CRM organizations
     */
    async get(id: string): Promise<Organization> {
      return readReference(
        endpoint,
        'organizations',
        {
          route: '/api/v2/crm/org/{id}',
          path: `/api/v2/crm/org/${segment(id)}`,
          why: 'organizations.get',
        },
        ({ body, request }) => organizationFromWire(body, request),
      );
    },

    /**
     * A page of all organizations. What the DMS sends beyond it is not even read.
     *
     * Costs one upstream request, none while it is kept.
     */
    async list(page: PageRequest): Promise<Page<Organization>> {
      return readReference(
        endpoint,
        'organizations',
        {
          route: '/api/v2/crm/org',
          path: `/api/v2/crm/org${query({ first: page.first, pageSize: page.pageSize })}`,
          why: 'organizations.list',
        },
        ({ body, headers, request }) => ({
          items: array(body, request)
            .slice(0, page.pageSize)
            .map((item) => organizationFromWire(item, request)),
          totalCount: totalCountFrom(headers),
        }),
      );
    },

    /** Creates or changes an organization, found by full, external, then government id; sent once. */
    async upsert(change: OrganizationChange): Promise<Write<Organization>> {
      const incoming = await write(endpoint, ['organizations'], {
        method: 'POST',
        route: '/api/v2/crm/org',
        path: '/api/v2/crm/org',
        why: 'organizations.upsert',
        json: organizationToWire(change),
        bodyWanted: true,
      });
      return writeFrom(incoming, requiredRole, organizationFromWire);
    },

    /** Deletes an organization by full, external or government id; sent once. */
    async remove(id: string): Promise<Write<void>> {
      const incoming = await write(endpoint, ['organizations'], {
        method: 'DELETE',
        route: '/api/v2/crm/org/{id}',
        path: `/api/v2/crm/org/${segment(id)}`,
        why: 'organizations.remove',
        bodyWanted: false,
      });
      return writeFrom(incoming, requiredRole, () => {});
    },
  };
}
