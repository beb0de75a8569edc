import type { ListValue, ListValueChange } from '../../model/list-value.ts';
import type { Write } from '../../model/write-outcome.ts';
import { read, readReference, write } from './resource-context.ts';
import type { Endpoint, Target } from './resource-context.ts';
import type { Answer } from '../client/upstream.ts';
import { query, segment } from '../client/path.ts';
import { writeFrom } from '../wire/write-outcome.ts';
import {
  isV1Shaped,
  listValueFromWire,
  listValueToWire,
  parentToWire,
} from '../wire/list-value.ts';
import { array } from '../wire/parse.ts';

const all = ({ body, request }: Answer): ListValue[] =>
  array(body, request).map((item) => listValueFromWire(item, request));
const one = ({ body, request }: Answer): ListValue => listValueFromWire(body, request);

export function listValuesApi(endpoint: Endpoint) {
  const { http, caller } = endpoint;
  const { quirks } = http;

  const notingShape = <T>(translate: (answer: Answer) => T) => {
    return (answer: Answer): T => {
      if (isV1Shaped(answer.body)) quirks.listValuesAreV1 = true;
      return translate(answer);
    };
  };
  const children = (directoryId: string): Target => ({
    route: '/api/v2/listValue',
    path: `/api/v2/listValue${query(parentToWire(directoryId, quirks.listValuesAreV1))}`,
    why: 'listValues.inDirectory',
  });

  return {
    /** The first-level list values. Costs one upstream request, none while kept. @see REST spec, List values */
    directories(): Promise<ListValue[]> {
      const target = {
        route: '/api/v2/listValue',
        path: '/api/v2/listValue',
        why: 'listValues.directories',
      };
      return readReference(endpoint, 'listValues', target, notingShape(all));
    },

    /**
     * The values of a directory.
     *
     * Costs one upstream request, none while kept; one more the first time that this DMS turns out to speak the
     * version 1 shape, which knows the parent by another name and would have ignored ours.
     * @see REST spec, List values and Versioning
     */
    async inDirectory(directoryId: string): Promise<ListValue[]> {
      const load = async (): Promise<Answer> => {
        const knewV1 = quirks.listValuesAreV1;
        const answer = await read(endpoint, children(directoryId));
        if (knewV1 || !isV1Shaped(answer.body)) return answer;
        quirks.listValuesAreV1 = true;
        return read(endpoint, children(directoryId));
      };
      const key = `in ${segment(directoryId)}`;
      return http.reference.read('listValues', caller.key, key, load, all);
    },

    /**
     * One list value by full id. Costs one upstream request, none while kept.
     * @throws {RestError} `NOT_FOUND` when there is no such value
     */
    async get(fullId: string): Promise<ListValue> {
      const target = {
        route: '/api/v2/listValue/{id}',
        path: `/api/v2/listValue/${segment(fullId)}`,
        why: 'listValues.get',
      };
      return readReference(endpoint, 'listValues', target, notingShape(one));
    },

    /** Creates or changes a list value; sent once. @see REST spec, List values */
    async upsert(change: ListValueChange): Promise<Write<ListValue>> {
      const incoming = await write(endpoint, ['listValues'], {
        method: 'POST',
        route: '/api/v2/listValue',
        path: '/api/v2/listValue',
        why: 'listValues.upsert',
        json: listValueToWire(change, quirks.listValuesAreV1),
        bodyWanted: true,
      });
      return writeFrom(incoming, 'elAdminDocRW', listValueFromWire);
    },
  };
}
