import type { IncomingHttpHeaders } from 'node:http';

const maxJoinedLength = 1000;

/**
 * The value of a header that can have only one. Several lines, which undici returns as an array and a proxy can join
 * with commas, count as one if they are equal. Null if there is none, or if they differ.
 *
 * @see RFC 9110, sections 5.3 and 8.6
 */
export function singleValue(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  if (value === undefined) return null;
  if (typeof value !== 'string') {
    const [first = null, ...others] = value;
    return others.every((other) => other === first) ? first : null;
  }
  if (!value.includes(',') || value.length > maxJoinedLength) return value;
  return /^(.+?)(?:,[ \t]*\1)+$/.exec(value)?.[1] ?? value;
}

export function listValue(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  if (value === undefined || typeof value === 'string') return value ?? null;
  return [...new Set(value)].join(', ');
}

/** Two digits that seem to be more than 50 years in the future are those of the century before (RFC 9110, section 5.6.7). */
function fullYear(year: number): number {
  const thisYear = new Date().getUTCFullYear();
  const inThisCentury = thisYear - (thisYear % 100) + year;
  return inThisCentury > thisYear + 50 ? inThisCentury - 100 : inThisCentury;
}

/**
 * An HTTP date in milliseconds since 1970. Null for anything else: `Date.parse` reads `1.5` and `-1` as dates.
 *
 * @see RFC 9110, section 5.6.7
 */
export function httpDateMs(text: string): number | null {
  // The two obsolete forms, RFC 850 and that of asctime, are read as the third one.
  const date = text
    .replace(
      /^([A-Z][a-z]{2})[a-z]+, (\d\d-[A-Z][a-z]{2})-(\d\d) /,
      (_, weekday: string, day: string, year: string) => {
        return `${weekday}, ${day.replace('-', ' ')} ${fullYear(Number(year))} `;
      },
    )
    .replace(/^(\w{3}) (\w{3}) (\d\d) ([\d:]{8}) (\d{4})$/, '$1, $3 $2 $5 $4 GMT')
    .replace(/^(\w{3}) (\w{3})  (\d) ([\d:]{8}) (\d{4})$/, '$1, 0$3 $2 $5 $4 GMT');
  const ms = Date.parse(date);
  // Only a date that exists, on that day of the week, is written in the same way.
  return !Number.isNaN(ms) && new Date(ms).toUTCString() === date ? ms : null;
}

/**
 * Whether a response is declared as an HTML page. The DMS sends none: such a page comes from a proxy, for example a
 * login page, and says nothing about the requested object.
 */
export function isHtml(headers: IncomingHttpHeaders): boolean {
  const type = singleValue(headers, 'content-type');
  return type !== null && /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(type);
}
