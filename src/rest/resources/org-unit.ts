import type { OrgUnit, OrgUnitChange } from '../../model/org-unit.ts';
import type { Write } from '../../model/write-outcome.ts';
import { readReference, write } from './resource-context.ts';
import type { Endpoint } from './resource-context.ts';
import { segment } from '../client/path.ts';
import { writeFrom } from '../wire/write-outcome.ts';
import { orgUnitFromWire, orgUnitToWire } from '../wire/org-unit.ts';

export function orgUnitsApi(endpoint: Endpoint) {
  return {
    /**
     * One unit by system id (`unit…`) or external id.
     *
     * Costs one upstream request, none while it is kept.
     * @throws {RestError} `NOT_FOUND` when there is no such unit
     * @see REST spec, Organizational units
     */
    async get(id: string): Promise<OrgUnit> {
      return readReference(
        endpoint,
        'orgUnits',
        {
          route: '/api/v2/orgUnit/{id}',
          path: `/api/v2/orgUnit/${segment(id)}`,
          why: 'orgUnits.get',
        },
        ({ body, request }) => orgUnitFromWire(body, request),
      );
    },

    /** Creates or changes a unit; sent once. @see REST spec, Organizational units */
    async upsert(change: OrgUnitChange): Promise<Write<OrgUnit>> {
      // A unit's name is part of its members.
      const incoming = await write(endpoint, ['orgUnits', 'persons'], {
        method: 'POST',
        route: '/api/v2/orgUnit',
        path: '/api/v2/orgUnit',
        why: 'orgUnits.upsert',
        json: orgUnitToWire(change),
        bodyWanted: true,
      });
      return writeFrom(incoming, 'elAdminSysRW', orgUnitFromWire);
    },
  };
}
