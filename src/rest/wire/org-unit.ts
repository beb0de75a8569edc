import type { OrgUnit, OrgUnitChange } from '../../model/org-unit.ts';
import { id, idOrNull, members, object, text } from './parse.ts';

export function orgUnitFromWire(answer: unknown, request: string): OrgUnit {
  const wire = object(answer, request);
  return {
    systemId: id(wire, '_id_sys', request),
    name: text(wire.name),
    headId: idOrNull(wire.elhead),
    memberIds: members(wire.elmembers, idOrNull),
  };
}

export function orgUnitToWire(change: OrgUnitChange): object {
  return {
    _id_sys: change.systemId,
    name: change.name,
    elhead: change.headId,
    elmembers: change.memberIds,
  };
}
