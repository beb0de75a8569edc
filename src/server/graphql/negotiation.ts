import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { HttpError } from '../errors/http-error.ts';

export type MediaType = 'application/json' | 'application/graphql-response+json';

type PartsType = 'multipart/mixed' | 'text/event-stream';

export interface Acceptable {
  readonly whole: MediaType | null;
  readonly parts: readonly PartsType[];
  readonly header: string;
}

const wholeTypes: readonly MediaType[] = ['application/json', 'application/graphql-response+json'];
const partsTypes: readonly PartsType[] = ['multipart/mixed', 'text/event-stream'];

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

export function partsNotAccepted(
  types = 'multipart/mixed;deferSpec=20220824` or `text/event-stream',
): HttpError {
  return new HttpError(406, 'BAD_USER_INPUT', `The operation requires \`Accept: ${types}\`.`);
}

const knownLanguages = new LRUCache<string, readonly string[]>({ max: 500 });
const noLanguages: readonly string[] = [];

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
