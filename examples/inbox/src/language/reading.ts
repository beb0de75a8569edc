import { isNumber } from './format.ts';

/**
 * Reads what a person has typed or pasted, in the notation of a locale, as a value of the DMS: a number such as `1234.50`,
 * a date such as `2026-03-01`, any other type as it is. Null if it is none.
 *
 * @param type of the field or column
 */
export function readValue(type: string, text: string, locale: string): string | null {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  if (type === 'number') return readNumber(trimmed, locale);
  return type === 'date' ? readDate(trimmed, locale) : trimmed;
}

/** Writes a value of the DMS to be edited, so that `readValue` reads it: a number without group separators. */
export function editableValue(type: string, value: string, locale: string): string {
  return type === 'number' && isNumber(value) ? value.replace('.', decimalOf(locale)) : value;
}

/** Reads a text in the notation of a locale, and writes it as it is edited in another one. One that is no value stays. */
export function rewriteValue(type: string, text: string, from: string, to = from): string {
  const value = readValue(type, text, from);
  return value === null ? text : editableValue(type, value, to);
}

/** Returns how a number or a date is written in a locale. */
export function exampleOf(type: string, locale: string): string {
  return type === 'date'
    ? new Intl.DateTimeFormat(locale).format(new Date(2026, 2, 31))
    : new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(1250);
}

function decimalOf(locale: string): string {
  const parts = new Intl.NumberFormat(locale).formatToParts(0.5);
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.';
}

/** Groups of three digits can have any separator but the decimal one. A currency says nothing: `€` or `EUR`. */
function readNumber(text: string, locale: string): string | null {
  const decimal = decimalOf(locale);
  const separators = ".,' ’\u00a0\u202f".replace(decimal, '');
  const pattern = `^([+-]?)(\\d+|\\d{1,3}([${separators}])\\d{3}(?:\\3\\d{3})*)(?:\\${decimal}(\\d*))?$`;
  const plain = text
    .replace(/^(?:\p{Sc}|[A-Z]{3})\s*|\s*(?:\p{Sc}|[A-Z]{3})$/gu, '')
    .replace(/^[−–]/, '-');
  const [, sign, whole, , fraction = ''] = new RegExp(pattern).exec(plain) ?? [];
  if (whole === undefined) return null;
  const digits = whole.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '');
  return `${sign === '-' ? '-' : ''}${digits}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Reads an ISO date, or day, month and year in the order of a locale. */
function readDate(text: string, locale: string): string | null {
  const numbers = /^(\d{1,4})[-./\s]+(\d{1,2})[-./\s]+(\d{1,4})\.?$/.exec(text)?.slice(1);
  if (numbers === undefined) return null;
  const parts = new Intl.DateTimeFormat(locale).formatToParts(0).filter(isPartOfDate);
  const order =
    numbers[0]!.length === 4
      ? ['year', 'month', 'day']
      : text.includes('.') // in no locale does the month come first
        ? ['day', 'month', 'year']
        : parts.map(({ type }) => type);
  const [year = '', month = '', day = ''] = ['year', 'month', 'day'].map(
    (type) => numbers[order.indexOf(type)]!,
  );
  const date = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const moment = new Date(`${date}T00:00Z`);
  const isDate = !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(date);
  return isDate ? date : null;
}

function isPartOfDate({ type }: Intl.DateTimeFormatPart): boolean {
  return type === 'day' || type === 'month' || type === 'year';
}
