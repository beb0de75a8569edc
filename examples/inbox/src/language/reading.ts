import { isNumber } from './format.ts';

export interface ValueType {
  /** Type of the DMS, such as `number`. Empty if it is unknown. */
  readonly type: string;
  readonly currency?: string | null;
}

/**
 * Reads what a person has typed or pasted, in the notation of a locale, as a value of the DMS: a number such as `1234.50`,
 * a date such as `2026-03-01`, any other type as it is. Null if it is none, or if its currency is not the one of the type.
 */
export function readValue(of: ValueType, text: string, locale: string): string | null {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  if (of.type === 'number') return readNumber(trimmed, of.currency ?? null, locale);
  return of.type === 'date' ? readDate(trimmed, locale) : trimmed;
}

/**
 * Writes a value of the DMS to be edited, so that `readValue` reads it: a number without group separators, and a date in
 * the notation of the locale, or, if its year is to be confirmed, as the DMS writes it.
 */
export function editableValue({ type }: ValueType, value: string, locale: string): string {
  if (type === 'number' && isNumber(value)) return value.replace('.', decimalOf(locale));
  if (type !== 'date' || !isoDate.test(value) || isYearUnusual(value)) return value;
  return new Intl.DateTimeFormat(locale).format(new Date(`${value}T00:00`));
}

export function rewriteValue(of: ValueType, text: string, from: string, to = from): string {
  const value = readValue(of, text, from);
  return value === null || isDoubtful(of, text, from) ? text : editableValue(of, value, to);
}

/** Whether a text is a date in a year that the user must confirm: they do so by writing it as the DMS does. */
export function isDoubtful({ type }: ValueType, text: string, locale: string): boolean {
  if (type !== 'date' || isoDate.test(text.trim())) return false;
  const value = readDate(text.trim(), locale);
  return value !== null && isYearUnusual(value);
}

/** Returns the code or sign of a currency in a text that is not the currency of the type. Null: there is none. */
export function otherCurrency({ type, currency }: ValueType, text: string): string | null {
  const sign = type === 'number' ? currencySign.exec(text.trim())?.[0].trim() : undefined;
  if (sign === undefined || !currency || !isCurrency(sign)) return null;
  return signsOf(currency).includes(sign) ? null : sign;
}

export function listOf(text: string): string[] {
  const entries = text.split(',').map((entry) => entry.trim());
  return entries.filter((entry) => entry !== '');
}

export function exampleOf(type: string, locale: string): string {
  return type === 'date'
    ? new Intl.DateTimeFormat(locale).format(new Date(2026, 2, 31))
    : new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(1250);
}

function decimalOf(locale: string): string {
  const parts = new Intl.NumberFormat(locale).formatToParts(0.5);
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.';
}

const currencySign = /^(?:\p{Sc}|[A-Z]{3}(?![A-Z]))\s*|\s*(?:\p{Sc}|(?<![A-Z])[A-Z]{3})$/u;

function isCurrency(sign: string): boolean {
  return sign.length < 3 || Intl.supportedValuesOf('currency').includes(sign);
}

function signsOf(currency: string): readonly string[] {
  const signs = (['symbol', 'narrowSymbol'] as const).map((currencyDisplay) => {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay });
    return format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? '';
  });
  return [currency, ...signs];
}

function readNumber(text: string, currency: string | null, locale: string): string | null {
  const decimal = decimalOf(locale);
  const separators = ".,' ’\u00a0\u202f".replace(decimal, '');
  const pattern = `^([+-]?)(\\d+|\\d{1,3}([${separators}])\\d{3}(?:\\3\\d{3})*)(?:\\${decimal}(\\d*))?$`;
  const sign = currencySign.exec(text)?.[0] ?? '';
  if (sign !== '' && !isCurrency(sign.trim())) return null;
  if (otherCurrency({ type: 'number', currency }, text) !== null) return null;
  const plain = text.replace(sign, '').replace(/^[−–]/, '-');
  const [, minus, whole, , fraction = ''] = new RegExp(pattern).exec(plain) ?? [];
  if (whole === undefined) return null;
  const digits = whole.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '');
  return `${minus === '-' ? '-' : ''}${digits}${fraction === '' ? '' : `.${fraction}`}`;
}

const isoDate = /^\d{4}-\d{2}-\d{2}$/;

function isYearUnusual(date: string): boolean {
  return Math.abs(Number(date.slice(0, 4)) - new Date().getFullYear()) > 20;
}

function yearOf(text: string): string {
  if (text.length !== 2) return text;
  const now = new Date().getFullYear();
  const year = now - (now % 100) + Number(text);
  return `${year - now > 50 ? year - 100 : now - year > 49 ? year + 100 : year}`;
}

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
  if (year.length === 4 && !/^(?:1[89]|2[01])/.test(year)) return null;
  const date = `${yearOf(year)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const moment = new Date(`${date}T00:00Z`);
  const isDate = !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(date);
  return isDate ? date : null;
}

function isPartOfDate({ type }: Intl.DateTimeFormatPart): boolean {
  return type === 'day' || type === 'month' || type === 'year';
}
