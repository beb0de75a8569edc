import type { Organization, OrganizationChange } from '../../model/organization.ts';
import { id, idOrNull, members, meta, object, shownId, text } from './parse.ts';

export function organizationFromWire(answer: unknown, request: string): Organization {
  const wire = object(answer, request);
  return {
    fullId: id(wire, '_id', request),
    shortId: shownId(wire._id_web),
    externalId: text(wire._id_ext),
    governmentId: text(wire.govId),
    name: text(wire.name),
    // Its members have no specified type. They are passed through, without empty ones.
    nameExt: members(wire.nameExt, (name) => (name === '' ? null : name)),
    notes: text(wire.notes),
    owner: idOrNull(wire.owner),
    author: idOrNull(wire.author),
    areaId: idOrNull(wire.areaId),
    typeId: idOrNull(wire.typeId),
    meta: meta(wire._meta),
  };
}

export function organizationToWire(change: OrganizationChange): object {
  return {
    _id: change.fullId,
    _id_ext: change.externalId,
    govId: change.governmentId,
    name: change.name,
    nameExt: change.nameExt,
    notes: change.notes,
    owner: change.owner,
    areaId: change.areaId,
    typeId: change.typeId,
  };
}
