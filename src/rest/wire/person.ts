import type { Person, PersonChange } from '../../model/person.ts';
import { bool, id, idOrNull, meta, object, objectOrNull, text } from './parse.ts';

export function personFromWire(answer: unknown, request: string): Person {
  const wire = object(answer, request);
  return {
    systemId: id(wire, '_id_sys', request),
    email: text(wire.email),
    firstName: text(wire.name_first),
    middleName: text(wire.name_mid),
    lastName: text(wire.name_last),
    officePhone: text(wire.phone_office),
    mobilePhone: text(wire.phone_mobile),
    unitName: text(wire.unit),
    deputy: deputyFromWire(wire.deputy),
    meta: meta(wire._meta),
  };
}

function deputyFromWire(value: unknown): Person['deputy'] {
  const wire = objectOrNull(value);
  const personId = idOrNull(wire?.id);
  return personId === null ? null : { personId, enabled: bool(wire?.enabled) ?? false };
}

export function personToWire(systemId: string, change: PersonChange): object {
  const { deputy } = change;
  return {
    _id_sys: systemId,
    pwd: change.password,
    name_first: change.firstName,
    name_mid: change.middleName,
    name_last: change.lastName,
    phone_office: change.officePhone,
    phone_mobile: change.mobilePhone,
    unit: change.unitName,
    // The DMS expects the flag as text.
    deputy: deputy && { id: deputy.personId, enabled: String(deputy.enabled) },
  };
}
