import type { OrgUnit, OrgUnitChange } from '../../model/org-unit.ts';
import { resources } from '../../model/resource.ts';
import type { WriteOutcome } from '../../model/write-outcome.ts';
import { readReference, write } from './resource-context.ts';
import type { ResourceContext } from './resource-context.ts';
import { pathSegment } from '../client/path.ts';
import { writeOutcomeFromWire } from '../wire/write-outcome.ts';
import { orgUnitFromWire, orgUnitToWire } from '../wire/org-unit.ts';

/** Organizational units, which are cached. REST spec, Organizational units. */
export function orgUnitResource(context: ResourceContext) {
  return {
    /**
     * One unit by system ID (`unit…`) or external ID.
     *
     * Costs one upstream request, none while cached.
     * @throws {RestError} `NOT_FOUND` if the unit does not exist
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

    /** Creates or changes a unit. Costs one upstream request. @see REST spec, Organizational units */
    async upsert(change: OrgUnitChange): Promise<WriteOutcome<OrgUnit>> {
      const response = await write(context, resources.OrgUnit.invalidates, {
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
