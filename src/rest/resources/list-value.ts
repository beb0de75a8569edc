import type { ListValue, ListValueChange } from '../../model/list-value.ts';
import { resources } from '../../model/resource.ts';
import type { WriteOutcome } from '../../model/write-outcome.ts';
import { read, readCached, readReference, write } from './resource-context.ts';
import type { ResourceContext, RequestTarget } from './resource-context.ts';
import type { UpstreamResponse } from '../client/upstream-call.ts';
import { queryString, pathSegment } from '../client/path.ts';
import { writeOutcomeFromWire } from '../wire/write-outcome.ts';
import {
  isV1Shaped,
  listValueFromWire,
  listValueToWire,
  parentToWire,
} from '../wire/list-value.ts';
import { array } from '../wire/parse.ts';

const all = ({ body, request }: UpstreamResponse): ListValue[] =>
  array(body, request).map((item) => listValueFromWire(item, request));
const one = ({ body, request }: UpstreamResponse): ListValue => listValueFromWire(body, request);

/** Directories and their values, which are cached. REST spec, List values. */
export function listValueResource(context: ResourceContext) {
  const { variants } = context.http;

  const detectShape = ({ body }: { readonly body: unknown }): void => {
    if (isV1Shaped(body)) variants.listValuesAreV1 = true;
  };
  const detectingShape = <T>(translate: (response: UpstreamResponse) => T) => {
    return (response: UpstreamResponse): T => {
      detectShape(response);
      return translate(response);
    };
  };
  const children = (directoryId: string): RequestTarget => ({
    route: '/api/v2/listValue',
    path: `/api/v2/listValue${queryString(parentToWire(directoryId, variants.listValuesAreV1))}`,
    label: 'listValues.inDirectory',
  });

  return {
    /** The list values without a parent. Costs one upstream request, none while cached. @see REST spec, List values */
    directories(): Promise<ListValue[]> {
      const target = {
        route: '/api/v2/listValue',
        path: '/api/v2/listValue',
        label: 'listValues.directories',
      };
      return readReference(context, 'listValues', target, detectingShape(all));
    },

    /**
     * The values of a directory.
     *
     * Costs one upstream request, none while cached. One more when the DMS turns out to use the version 1 shape: it has
     * another name for the parent and ignores the one of version 2.
     * @see REST spec, List values and Versioning
     */
    async inDirectory(directoryId: string): Promise<ListValue[]> {
      const load = async (): Promise<UpstreamResponse> => {
        const wasV1 = variants.listValuesAreV1;
        const response = await read(context, children(directoryId));
        if (wasV1 || !isV1Shaped(response.body)) return response;
        variants.listValuesAreV1 = true;
        return read(context, children(directoryId));
      };
      const key = `in ${pathSegment(directoryId)}`;
      const target = children(directoryId);
      // A response from Redis does not pass through `load`.
      return readCached(context, 'listValues', target, key, load, detectingShape(all));
    },

    /**
     * One list value by full ID. Costs one upstream request, none while cached.
     * @throws {RestError} `NOT_FOUND` if the value does not exist
     */
    async get(fullId: string): Promise<ListValue> {
      const target = {
        route: '/api/v2/listValue/{id}',
        path: `/api/v2/listValue/${pathSegment(fullId)}`,
        label: 'listValues.get',
      };
      return readReference(context, 'listValues', target, detectingShape(one));
    },

    /** Creates or changes a list value. Costs one upstream request. @see REST spec, List values */
    async upsert(change: ListValueChange): Promise<WriteOutcome<ListValue>> {
      const response = await write(context, resources.ListValue.invalidates, {
        method: 'POST',
        route: '/api/v2/listValue',
        path: '/api/v2/listValue',
        label: 'listValues.upsert',
        json: listValueToWire(change, variants.listValuesAreV1),
        expectsBody: true,
      });
      detectShape(response);
      return writeOutcomeFromWire(response, 'elAdminDocRW', listValueFromWire);
    },
  };
}
