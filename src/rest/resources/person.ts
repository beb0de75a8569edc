import type { Person, PersonChange } from '../../model/person.ts';
import { resources } from '../../model/resource.ts';
import type { WriteOutcome } from '../../model/write-outcome.ts';
import { readReference, write } from './resource-context.ts';
import type { ResourceContext } from './resource-context.ts';
import { pathSegment } from '../client/path.ts';
import { writeOutcomeFromWire } from '../wire/write-outcome.ts';
import { personFromWire, personToWire } from '../wire/person.ts';

/** User accounts, which are cached. REST spec, Persons. */
export function personResource(context: ResourceContext) {
  return {
    /**
     * One person by system ID (`usr-…`).
     *
     * Costs one upstream request, none while cached.
     * @throws {RestError} `NOT_FOUND` if the person does not exist
     * @see REST spec, Persons
     */
    async get(systemId: string): Promise<Person> {
      return readReference(
        context,
        'persons',
        {
          route: '/api/v2/person/{id}',
          path: `/api/v2/person/${pathSegment(systemId)}`,
          label: 'persons.get',
        },
        ({ body, request }) => personFromWire(body, request),
      );
    },

    /** Changes a person. Costs one upstream request. @see REST spec, Persons */
    async update(systemId: string, change: PersonChange): Promise<WriteOutcome<Person>> {
      const response = await write(context, resources.Person.invalidates, {
        method: 'POST',
        route: '/api/v2/person',
        path: '/api/v2/person',
        label: 'persons.update',
        json: personToWire(systemId, change),
        expectsBody: true,
      });
      return writeOutcomeFromWire(response, 'elAdminSysRW', personFromWire);
    },
  };
}
