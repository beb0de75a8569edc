import type { OrgUnit, OrgUnitChange } from '../../model/org-unit.ts';
import { id, object, text, texts } from './read.ts';

export function orgUnitFromWire(answer: unknown, request: string): OrgUnit {
  const wire = object(answer, request);
  return {
    systemId: id(wire, '_id_sys', request),
    name: text(wire.name),
    headId: text(wire.elhead),
    memberIds: texts(wire.elmembers),
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
