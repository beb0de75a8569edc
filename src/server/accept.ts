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
}

const wholeTypes: readonly MediaType[] = ['application/json', 'application/graphql-response+json'];
const partTypes = ['multipart/mixed', 'text/event-stream'];

const known = new LRUCache<string, Acceptable>({ max: 200 }); // clients send few different headers
const anything: Acceptable = { whole: 'application/json', parts: true };

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
  return {
    whole: (negotiator.mediaType([...wholeTypes]) as MediaType | undefined) ?? null,
    parts: negotiator.mediaType(partTypes) !== undefined,
  };
}
