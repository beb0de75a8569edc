export interface Timestamp {
  readonly date: string;
  readonly ms: number;
  readonly fraction: string;
  readonly isUtc: boolean;
}

const pattern =
  /^((\d{4})-(\d{2})-(\d{2}))(?:([Tt ])(\d{2}):(\d{2})(?::(\d{2})(\.\d+)?)?([Zz]|([+-]\d{2})(?::?(\d{2}))?)?)?$/;
const [secondMs, minuteMs, hourMs] = [1000, 60_000, 3_600_000];
const firstMs = Date.parse('0000-01-01T00:00:00Z');
const endMs = Date.parse('+010000-01-01T00:00:00Z');

/**
 * Reads a date or timestamp of ISO 8601 or RFC 3339, which is in UTC if it has no zone (REST spec, General conventions).
 * Null for anything else, and for what does not exist, such as 30 February: `Date.parse` would make it another day.
 */
export function parseTimestamp(text: string): Timestamp | null {
  const match = pattern.exec(text);
  if (match === null) return null;
  const [
    ,
    date = '',
    year,
    month,
    day,
    separator,
    hour = 0,
    minute = 0,
    second,
    fraction = '',
    zone,
    zoneHour,
    zoneMinute = 0,
  ] = match;
  const midnight = new Date(0);
  midnight.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (midnight.getUTCMonth() !== Number(month) - 1) return null; // rolled over to another month
  const ofDay =
    Number(hour) * hourMs +
    Number(minute) * minuteMs +
    Number(second ?? 0) * secondMs +
    (fraction === '' ? 0 : Number(fraction.slice(1, 4).padEnd(3, '0')));
  // 24:00:00 is the end of the day.
  const exists = ofDay <= 24 * hourMs && Number(minute) < 60 && Number(second ?? 0) < 60;
  const offset = zoneHour === undefined ? 0 : zoneOffset(zoneHour, Number(zoneMinute));
  const ms = midnight.getTime() + ofDay - offset;
  // An offset that does not exist is NaN.
  if (!exists || !(ms >= firstMs && ms < endMs)) return null;
  const isComplete = second !== undefined && ofDay < 24 * hourMs;
  return { date, ms, fraction, isUtc: separator === 'T' && zone === 'Z' && isComplete };
}

function zoneOffset(signedHour: string, minute: number): number {
  const hour = Math.abs(Number(signedHour));
  if (hour > 23 || minute > 59) return NaN;
  const ms = hour * hourMs + minute * minuteMs;
  return signedHour.startsWith('-') ? -ms : ms;
}
