import type { IncomingHttpHeaders } from 'node:http';
import { int } from './parse.ts';

/**
 * How many there are in all; null where the service does not say. It names the header in two ways.
 * @see REST spec, Documents 3 and CRM organizations
 */
export function totalCountFrom(headers: IncomingHttpHeaders): number | null {
  const count = int(headers['svc-total-count']) ?? int(headers['x-total-count']);
  return count !== null && count >= 0 ? count : null;
}
