import type { IncomingHttpHeaders } from 'node:http';
import type { Conditions } from '../../../model/document.ts';
import { httpDateMs, singleValue } from '../transport/header-values.ts';

export function mayAnswer(status: number, conditions: Conditions): boolean {
  if (status === 412) return hasAny(conditions, 'if-match', 'if-unmodified-since');
  return status === 304 && hasAny(conditions, 'if-none-match', 'if-modified-since');
}

/**
 * The status that the validators of a file require instead of the file, because the DMS can have ignored the
 * conditions. Null if they hold.
 *
 * @see RFC 9110, section 13.2.2
 */
export function statusOfPreconditions(
  conditions: Conditions,
  headers: IncomingHttpHeaders,
): 304 | 412 | null {
  const etag = singleValue(headers, 'etag');
  const modifiedMs = dateMs(singleValue(headers, 'last-modified'));
  const { 'if-match': match, 'if-none-match': noneMatch } = conditions;

  const unmodifiedSinceMs = dateMs(conditions['if-unmodified-since']);
  const isUnchanged =
    match === undefined
      ? !isLater(modifiedMs, unmodifiedSinceMs)
      : includesTag(match, etag, isSameStrongTag);
  if (!isUnchanged) return 412;

  const modifiedSinceMs = dateMs(conditions['if-modified-since']);
  const isKnown =
    noneMatch === undefined
      ? modifiedMs !== null && modifiedSinceMs !== null && modifiedMs <= modifiedSinceMs
      : includesTag(noneMatch, etag, isSameTag);
  return isKnown ? 304 : null;
}

/**
 * Whether the requested part, or its absence (416), is that of the file of which the client has the other parts. A
 * response with status 206 has the entity tag of the file, if there is one, but can lack its date (RFC 9110, section
 * 15.3.7), and one with status 416 can lack both.
 *
 * @see RFC 9110, section 13.1.5
 */
export function isPartOfSameFile(
  { 'if-range': validator }: Conditions,
  { status, headers }: { readonly status: number; readonly headers: IncomingHttpHeaders },
): boolean {
  if (validator === undefined) return true;
  const validatorMs = dateMs(validator);
  if (validatorMs !== null) {
    const modifiedMs = dateMs(singleValue(headers, 'last-modified'));
    return modifiedMs === null || modifiedMs === validatorMs;
  }
  const etag = singleValue(headers, 'etag');
  return etag === null ? status === 416 : isSameStrongTag(etag, validator);
}

function hasAny(conditions: Conditions, ...names: readonly (keyof Conditions)[]): boolean {
  return names.some((name) => conditions[name] !== undefined);
}

/** The milliseconds of an HTTP date. A condition with any other text is ignored (RFC 9110, section 13.1.4). */
function dateMs(text: string | null | undefined): number | null {
  return text == null ? null : httpDateMs(text);
}

function isLater(ms: number | null, thanMs: number | null): boolean {
  return ms !== null && thanMs !== null && ms > thanMs;
}

function includesTag(
  list: string,
  etag: string | null,
  isSame: (one: string, other: string) => boolean,
): boolean {
  if (list.trim() === '*') return true;
  const tags = list.match(/(?:W\/)?"[^"]*"|[^\s,]+/g) ?? [];
  return etag !== null && tags.some((tag) => isSame(tag, etag));
}

/** The strong comparison of entity tags (RFC 9110, section 8.8.3.2). */
function isSameStrongTag(one: string, other: string): boolean {
  return one === other && !one.startsWith('W/');
}

function isSameTag(one: string, other: string): boolean {
  return one.replace(/^W\//, '') === other.replace(/^W\//, '');
}
