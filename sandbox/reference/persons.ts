import { requireRole } from '../caller.ts';
import { json } from '../http/response.ts';
import type { Handler } from '../http/handler.ts';
import { param } from '../http/handler.ts';
import { notFound } from '../problem.ts';
import type { Service } from '../service.ts';
import { metaOf } from '../store/meta.ts';
import type { Person } from '../store/persons.ts';
import { activePersons, findPerson } from '../store/persons.ts';

/** GET person/{id} by system ID (REST spec, Persons). */
export function getPerson({ db }: Service): Handler {
  return (context) => {
    const person = findPerson(db, param(context, 'id'));
    if (person === undefined) throw notFound('There is no such person.');
    return json(personToWire(person));
  };
}

/**
 * GET /sandbox/people: everyone who can be in `svc-run-as`, for the sign-in of demos. It is not part of the
 * specification, which has no list of persons.
 */
export function getPeople({ db }: Service): Handler {
  return ({ caller }) => {
    requireRole(caller, 'elAdminSysRW');
    const people = activePersons(db).map(
      ({ id, email, unit, roles, nameFirst, nameMid, nameLast }) => ({
        systemId: id,
        name: [nameFirst, nameMid, nameLast].filter((part) => part !== '').join(' '),
        email,
        unit,
        roles,
      }),
    );
    return json(people);
  };
}

export function personToWire(person: Person): Record<string, unknown> {
  return {
    _id_sys: person.id,
    email: person.email,
    name_first: person.nameFirst,
    name_mid: person.nameMid,
    name_last: person.nameLast,
    phone_office: person.phoneOffice,
    phone_mobile: person.phoneMobile,
    unit: person.unit,
    ...(person.deputy === null ? {} : { deputy: person.deputy }),
    _meta: metaOf(person),
  };
}
