import type { ListValue, ListValueChange } from '../../model/list-value.ts';
import type { WriteOutcome } from '../../model/common.ts';
import {
  read,
  readCached,
  readReferenceData,
  targetOf,
  upsert,
  type RequestTarget,
  type ResourceContext,
} from './resource-context.ts';
import type { CallResult } from '../client/call/call.ts';
import { queryString, pathSegment } from '../wire/path.ts';
import {
  isV1Shaped,
  listValueFromWire,
  listValueToWire,
  parentToWire,
} from '../wire/list-value.ts';
import { array, members } from '../wire/parse.ts';

const all = (body: unknown, request: string): ListValue[] =>
  members(array(body, request), (item) => listValueFromWire(item, request));

/** Directories and their values, which are cached. REST spec, List values. */
export function listValueResource(context: ResourceContext) {
  const { variants } = context.http;

  const detectingShape = <T>(fromWire: (body: unknown, request: string) => T) => {
    return (body: unknown, request: string): T => {
      if (isV1Shaped(body)) variants.listValuesAreV1 = true;
      return fromWire(body, request);
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
      const target = targetOf('listValues.directories', '/api/v2/listValue');
      return readReferenceData(context, 'listValues', target, detectingShape(all));
    },

    /**
     * The values of a directory.
     *
     * Costs one upstream request, none while cached. One more when the DMS turns out to use the version 1 shape: it has
     * another name for the parent and ignores the one of version 2.
     * @see REST spec, List values and Versioning
     */
    async inDirectory(directoryId: string): Promise<ListValue[]> {
      const load = async (): Promise<CallResult> => {
        const wasV1 = variants.listValuesAreV1;
        const response = await read(context, children(directoryId));
        if (wasV1 || !isV1Shaped(response.body)) return response;
        variants.listValuesAreV1 = true;
        return read(context, children(directoryId));
      };
      const key = `in ${pathSegment(directoryId)}`;
      const target = children(directoryId);
      // A response from a shared cache does not pass through `load`.
      const translate = detectingShape(all);
      return readCached(context, 'listValues', target, key, load, ({ body, request }) =>
        translate(body, request),
      );
    },

    async get(fullId: string): Promise<ListValue> {
      const target = targetOf('listValues.get', '/api/v2/listValue/{id}', fullId);
      return readReferenceData(context, 'listValues', target, detectingShape(listValueFromWire));
    },

    /** Creates or changes a list value. Costs one upstream request. @see REST spec, List values */
    upsert(change: ListValueChange): Promise<WriteOutcome<ListValue>> {
      const target = targetOf('listValues.upsert', '/api/v2/listValue');
      const json = listValueToWire(change, variants.listValuesAreV1);
      const fromWire = detectingShape(listValueFromWire);
      return upsert(context, 'ListValue', target, json, 'elAdminDocRW', fromWire);
    },
  };
}
