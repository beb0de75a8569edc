import { badRequest } from '../problem.ts';

/**
 * An integer query parameter. Null if absent.
 * @throws {Problem} 400 with the name of the parameter, if it is not an integer in the range
 */
export function integerIn(
  query: URLSearchParams,
  name: string,
  min: number,
  max: number,
): number | null {
  const text = query.get(name);
  if (text === null) return null;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) {
    throw badRequest(`${name} must be an integer from ${min} to ${max}.`);
  }
  return value;
}

/**
 * A boolean query parameter. @throws {Problem} 400 with the name of the parameter, for anything but `true` and `false`
 */
export function flag(query: URLSearchParams, name: string, fallback: boolean): boolean {
  const text = query.get(name);
  if (text === null) return fallback;
  if (text !== 'true' && text !== 'false') throw badRequest(`${name} must be true or false.`);
  return text === 'true';
}

/** The names in a comma-separated query parameter. Null if it is absent or empty. */
export function names(query: URLSearchParams, name: string): string[] | null {
  const list = (query.get(name) ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return list.length === 0 ? null : list;
}

/** `first` and `pageSize` of the paged lists (REST spec, Limits). */
export function pageOf(query: URLSearchParams): { first: number; pageSize: number } {
  return {
    first: integerIn(query, 'first', 0, 2147483646) ?? 0,
    pageSize: integerIn(query, 'pageSize', 1, 100) ?? 10,
  };
}
