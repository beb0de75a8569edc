import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** A media type of a result that is whole. Under `application/json`, clients expect 200 for errors of GraphQL itself. */
export type MediaType = 'application/json' | 'application/graphql-response+json';

/** What a client accepts of what /graphql can answer with. */
export interface Acceptable {
  /** For a whole result; null if the client accepts streams only, or nothing of all this. */
  readonly whole: MediaType | null;
  /** Whether it accepts results in parts: `multipart/mixed` or `text/event-stream`. */
  readonly parts: boolean;
  /**
   * The protocol for subscriptions: `events` is GraphQL over SSE, `multipart` is Apollo's, which clients ask for with
   * `multipart/mixed;subscriptionSpec="1.0"`. Null if the client accepts neither.
   */
  readonly subscriptions: 'events' | 'multipart' | null;
  /** What it accepts of all this, in a form that Yoga reads as it is meant: Yoga takes `q=0` for acceptable. */
  readonly header: string;
}

const wholeTypes: readonly MediaType[] = ['application/json', 'application/graphql-response+json'];
const events = 'text/event-stream';
const partTypes = ['multipart/mixed', events];

const known = new LRUCache<string, Acceptable>({ max: 200 }); // clients send few different headers
const anything = negotiate('*/*');

/** Reads an Accept header by RFC 9110; without one, everything is acceptable and `application/json` is preferred. */
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
  // Parameters such as `charset=utf-8` and `deferSpec=…` do not narrow what can be sent; negotiator would compare them.
  const accept = header.replaceAll(/;\s*(?!q\s*=)[^;,]*/gi, '');
  const negotiator = new Negotiator({ headers: { accept } });
  const whole = (negotiator.mediaType([...wholeTypes]) as MediaType | undefined) ?? null;
  const parts = negotiator.mediaTypes(partTypes);
  return {
    whole,
    parts: parts.length > 0,
    subscriptions: subscriptionProtocol(header, parts),
    header: [...(whole === null ? [] : [whole]), ...parts].join(', '),
  };
}

/** The preferred of those that are accepted. */
function subscriptionProtocol(
  header: string,
  parts: readonly string[],
): 'events' | 'multipart' | null {
  const isMultipartAsked = /multipart\/mixed\s*;[^,]*\bsubscriptionSpec\s*=\s*"?1\.0"?/i.test(
    header,
  );
  const [first] = isMultipartAsked ? parts : parts.filter((type) => type === events);
  if (first === undefined) return null;
  return first === events ? 'events' : 'multipart';
}
