import type { OrgUnit, OrgUnitChange } from '../../model/org-unit.ts';
import type { WriteOutcome } from '../../model/write-outcome.ts';
import { readReference, write } from './resource-context.ts';
import type { ResourceContext } from './resource-context.ts';
import { pathSegment } from '../client/path.ts';
import { writeOutcomeFromWire } from '../wire/write-outcome.ts';
import { orgUnitFromWire, orgUnitToWire } from '../wire/org-unit.ts';

export function orgUnitResource(context: ResourceContext) {
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
        context,
        'orgUnits',
        {
          route: '/api/v2/orgUnit/{id}',
          path: `/api/v2/orgUnit/${pathSegment(id)}`,
          label: 'orgUnits.get',
        },
        ({ body, request }) => orgUnitFromWire(body, request),
      );
    },

    /** Creates or changes a unit; sent once. @see REST spec, Organizational units */
    async upsert(change: OrgUnitChange): Promise<WriteOutcome<OrgUnit>> {
      // A unit's name is part of its members.
      const response = await write(context, ['orgUnits', 'persons'], {
        method: 'POST',
        route: '/api/v2/orgUnit',
        path: '/api/v2/orgUnit',
        label: 'orgUnits.upsert',
        json: orgUnitToWire(change),
        expectsBody: true,
      });
      return writeOutcomeFromWire(response, 'elAdminSysRW', orgUnitFromWire);
    },
  };
}
