import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { HttpError } from '../errors/http-error.ts';

/** A media type of a complete result. With `application/json`, clients expect status 200 for GraphQL errors. */
export type MediaType = 'application/json' | 'application/graphql-response+json';

/** A media type of a result that is sent in parts. */
type PartsType = 'multipart/mixed' | 'text/event-stream';

/** The response types of /graphql that a client accepts. */
export interface Acceptable {
  /** Media type of a complete result. Null if the client accepts streams only, or none of these types. */
  readonly whole: MediaType | null;
  /** The accepted media types of results that are sent in parts, most preferred first. */
  readonly parts: readonly PartsType[];
  /** An Accept header with the accepted types only. Yoga treats `q=0` as accepted. */
  readonly header: string;
}

const wholeTypes: readonly MediaType[] = ['application/json', 'application/graphql-response+json'];
const partsTypes: readonly PartsType[] = ['multipart/mixed', 'text/event-stream'];

/** A longer header is ignored: the time to read it grows with the square of its length. */
const maxLength = 1000;

const known = new LRUCache<string, Acceptable>({ max: 200 }); // clients send few distinct headers
const anything = negotiate('*/*');

/**
 * Negotiates the response type by RFC 9110. Without a header, or with one of more than 1000 characters, every type is
 * accepted and `application/json` is preferred.
 */
export function acceptableFor(header: string | undefined): Acceptable {
  if (header === undefined || header === '' || header.length > maxLength) return anything;
  let acceptable = known.get(header);
  if (acceptable === undefined) {
    acceptable = negotiate(header);
    known.set(header, acceptable);
  }
  return acceptable;
}

/**
 * Whether a media range asks for parts in another form than the one that is sent, that of 24 August 2022. Its client
 * would misread them.
 */
function isOtherForm(range: string): boolean {
  if (!/^\s*multipart\/mixed\b/i.test(range)) return false;
  return /;\s*(?:incrementalSpec\s*=|deferSpec\s*=(?!\s*"?20220824\b))/i.test(range);
}

function negotiate(given: string): Acceptable {
  const ranges = given.split(',').filter((range) => !isOtherForm(range));
  const header = ranges.join(',');
  // Parameters such as `charset=utf-8` and `deferSpec=…` do not narrow what can be sent; negotiator would compare them.
  const accept = header.replaceAll(/;(?!\s*q\s*=)[^;,]*/gi, '');
  const negotiator = new Negotiator({ headers: { accept } });
  const whole = (negotiator.mediaType([...wholeTypes]) as MediaType | undefined) ?? null;
  const parts = negotiator.mediaTypes([...partsTypes]) as PartsType[];
  return {
    whole,
    parts,
    header: [...(whole === null ? [] : [whole]), ...parts].join(', '),
  };
}

/** The error (406) of an operation whose result comes in parts, if the client accepts none. */
export function partsNotAccepted(
  types = 'multipart/mixed;deferSpec=20220824` or `text/event-stream',
): HttpError {
  return new HttpError(406, 'BAD_USER_INPUT', `The operation requires \`Accept: ${types}\`.`);
}

const knownLanguages = new LRUCache<string, readonly string[]>({ max: 500 });
const noLanguages: readonly string[] = [];

/**
 * Returns the languages of an Accept-Language header in lower case, most preferred first. `*` and `q=0` are ignored.
 * Empty without a header.
 */
export function languagesOf(header: string | undefined): readonly string[] {
  if (header === undefined || header.length > 500) return noLanguages;
  let languages = knownLanguages.get(header);
  if (languages === undefined) {
    const ranges = new Negotiator({ headers: { 'accept-language': header } }).languages();
    const tags = ranges.flatMap((range) => /^[a-z]+(?:-[a-z\d]+)*/i.exec(range) ?? []);
    languages = [...new Set(tags.map((tag) => tag.toLowerCase()))];
    knownLanguages.set(header, languages);
  }
  return languages;
}
