import type { OrgUnit, OrgUnitChange } from '../../model/org-unit.ts';
import type { WriteOutcome } from '../../model/common.ts';
import { readReferenceData, targetOf, upsert, type ResourceContext } from './resource-context.ts';
import { orgUnitFromWire, orgUnitToWire } from '../wire/org-unit.ts';

/** Organizational units, which are cached. REST spec, Organizational units. */
export function orgUnitResource(context: ResourceContext) {
  return {
    /**
     * One unit by system ID (`unit…`) or external ID.
     *
     * Costs one upstream request, none while cached.
     * @see REST spec, Organizational units
     */
    async get(id: string): Promise<OrgUnit> {
      const target = targetOf('orgUnits.get', '/api/v2/orgUnit/{id}', id);
      return readReferenceData(context, 'orgUnits', target, orgUnitFromWire);
    },

    /** Creates or changes a unit. Costs one upstream request. @see REST spec, Organizational units */
    upsert(change: OrgUnitChange): Promise<WriteOutcome<OrgUnit>> {
      const target = targetOf('orgUnits.upsert', '/api/v2/orgUnit');
      const json = orgUnitToWire(change);
      return upsert(context, 'OrgUnit', target, json, 'elAdminSysRW', orgUnitFromWire);
    },
  };
}
