import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** A media type of a complete result. With `application/json`, clients expect status 200 for GraphQL errors. */
export type MediaType = 'application/json' | 'application/graphql-response+json';

/** The response types of /graphql that a client accepts. */
export interface Acceptable {
  /** Media type of a complete result. Null if the client accepts streams only, or none of these types. */
  readonly whole: MediaType | null;
  /** Whether the client accepts incremental results: `multipart/mixed` or `text/event-stream`. */
  readonly parts: boolean;
  /** Whether the client accepts `text/event-stream`, the only type in which Yoga sends subscriptions. */
  readonly events: boolean;
  /** An Accept header with the accepted types only. Yoga treats `q=0` as accepted. */
  readonly header: string;
}

const wholeTypes: readonly MediaType[] = ['application/json', 'application/graphql-response+json'];
const events = 'text/event-stream';
const partTypes = ['multipart/mixed', events];

const known = new LRUCache<string, Acceptable>({ max: 200 }); // clients send few distinct headers
const anything = negotiate('*/*');

/**
 * Negotiates the response type by RFC 9110. Without a header, every type is accepted and `application/json` is
 * preferred.
 */
export function acceptableFor(header: string | undefined): Acceptable {
  if (header === undefined || header === '') return anything;
  let acceptable = known.get(header);
  if (acceptable === undefined) {
    acceptable = negotiate(header);
    known.set(header, acceptable);
  }
  return acceptable;
}

function negotiate(header: string): Acceptable {
  // Parameters such as `charset=utf-8` and `deferSpec=…` do not restrict the response, but negotiator compares them.
  const accept = header.replaceAll(/;\s*(?!q\s*=)[^;,]*/gi, '');
  const negotiator = new Negotiator({ headers: { accept } });
  const whole = (negotiator.mediaType([...wholeTypes]) as MediaType | undefined) ?? null;
  const parts = negotiator.mediaTypes(partTypes);
  return {
    whole,
    parts: parts.length > 0,
    events: parts.includes(events),
    header: [...(whole === null ? [] : [whole]), ...parts].join(', '),
  };
}
