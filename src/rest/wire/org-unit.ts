import type { OrgUnit, OrgUnitChange } from '../../model/org-unit.ts';
import { id, idOrNull, members, object, text } from './parse.ts';

/** Reads an organizational unit. @throws {RestError} `UPSTREAM_ERROR` without an ID */
export function orgUnitFromWire(answer: unknown, request: string): OrgUnit {
  const wire = object(answer, request);
  return {
    systemId: id(wire, '_id_sys', request),
    name: text(wire.name),
    headId: idOrNull(wire.elhead),
    memberIds: members(wire.elmembers, idOrNull),
  };
}

/** The body of a write. Undefined properties are not sent. */
export function orgUnitToWire(change: OrgUnitChange): object {
  return {
    _id_sys: change.systemId,
    name: change.name,
    elhead: change.headId,
    elmembers: change.memberIds,
  };
}
