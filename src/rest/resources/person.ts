import type { Person, PersonChange } from '../../model/person.ts';
import type { WriteOutcome } from '../../model/common.ts';
import { readReferenceData, targetOf, upsert, type ResourceContext } from './resource-context.ts';
import { personFromWire, personToWire } from '../wire/person.ts';

/** User accounts, which are cached. REST spec, Persons. */
export function personResource(context: ResourceContext) {
  return {
    /**
     * One person by system ID (`usr-…`).
     *
     * Costs one upstream request, none while cached.
     * @see REST spec, Persons
     */
    async get(systemId: string): Promise<Person> {
      const target = targetOf('persons.get', '/api/v2/person/{id}', systemId);
      return readReferenceData(context, 'persons', target, personFromWire);
    },

    /** Changes a person. Costs one upstream request. @see REST spec, Persons */
    update(systemId: string, change: PersonChange): Promise<WriteOutcome<Person>> {
      const target = targetOf('persons.update', '/api/v2/person');
      const json = personToWire(systemId, change);
      return upsert(context, 'Person', target, json, 'elAdminSysRW', personFromWire);
    },
  };
}
