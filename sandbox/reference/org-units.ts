import { json } from '../http/response.ts';
import type { Handler } from '../http/handler.ts';
import { param } from '../http/handler.ts';
import { notFound } from '../problem.ts';
import type { Service } from '../service.ts';
import { metaOf } from '../store/meta.ts';
import type { OrgUnit } from '../store/org-units.ts';
import { findOrgUnit } from '../store/org-units.ts';

/** GET orgUnit/{id} by system or external ID (REST spec, Organizational units). */
export function getOrgUnit({ db }: Service): Handler {
  return (context) => {
    const unit = findOrgUnit(db, param(context, 'id'));
    if (unit === undefined) throw notFound('There is no such organizational unit.');
    return json(unitToWire(unit));
  };
}

export function unitToWire(unit: OrgUnit): Record<string, unknown> {
  return {
    _id_sys: unit.id,
    name: unit.name,
    elhead: unit.head,
    elmembers: unit.members,
    _meta: metaOf(unit),
  };
}
