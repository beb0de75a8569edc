import type { IncomingHttpHeaders } from 'node:http';
import { int } from './parse.ts';

/**
 * Total number of items of a paged list. Null if the DMS does not send it. The specification has two names of the
 * header.
 * @see REST spec, Documents 3 and CRM organizations
 */
export function totalCountFrom(headers: IncomingHttpHeaders): number | null {
  const count = int(headers['svc-total-count']) ?? int(headers['x-total-count']);
  return count !== null && count >= 0 ? count : null;
}
