import type { Person, PersonChange } from '../../model/person.ts';
import type { Write } from '../../model/write-outcome.ts';
import { readReference, write } from './resource-context.ts';
import type { Endpoint } from './resource-context.ts';
import { segment } from '../client/path.ts';
import { writeFrom } from '../wire/write-outcome.ts';
import { personFromWire, personToWire } from '../wire/person.ts';

export function personsApi(endpoint: Endpoint) {
  return {
    /**
     * One person by system id (`usr-…`).
     *
     * Costs one upstream request, none while it is kept.
     * @throws {RestError} `NOT_FOUND` when there is no such person
     * @see REST spec, Persons
     */
    async get(systemId: string): Promise<Person> {
      return readReference(
        endpoint,
        'persons',
        {
          route: '/api/v2/person/{id}',
          path: `/api/v2/person/${segment(systemId)}`,
          why: 'persons.get',
        },
        ({ body, request }) => personFromWire(body, request),
      );
    },

    /** Changes a person; sent once. @see REST spec, Persons */
    async update(systemId: string, change: PersonChange): Promise<Write<Person>> {
      // A person's unit is part of both nouns.
      const incoming = await write(endpoint, ['persons', 'orgUnits'], {
        method: 'POST',
        route: '/api/v2/person',
        path: '/api/v2/person',
        why: 'persons.update',
        json: personToWire(systemId, change),
        bodyWanted: true,
      });
      return writeFrom(incoming, 'elAdminSysRW', personFromWire);
    },
  };
}
