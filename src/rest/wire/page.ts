import type { IncomingHttpHeaders } from 'node:http';
import type { Page } from '../../model/page.ts';
import type { UpstreamResponse } from '../client/upstream-call.ts';
import { array, int } from './parse.ts';

/**
 * Reads a page of a list. Items beyond `pageSize` are dropped.
 * @throws {RestError} `UPSTREAM_ERROR` if the answer is not a list, and as `itemFromWire`
 */
export function pageFromWire<T>(
  { body, headers, request }: UpstreamResponse,
  pageSize: number,
  itemFromWire: (item: unknown, request: string) => T,
): Page<T> {
  const items = array(body, request).slice(0, pageSize);
  return {
    items: items.map((item) => itemFromWire(item, request)),
    totalCount: totalCountFrom(headers),
  };
}

/**
 * Total number of items of a paged list. Null if the DMS does not send it. The specification has two names of the
 * header.
 * @see REST spec, Documents 3 and CRM organizations
 */
export function totalCountFrom(headers: IncomingHttpHeaders): number | null {
  const count = int(headers['svc-total-count']) ?? int(headers['x-total-count']);
  return count !== null && count >= 0 ? count : null;
}
