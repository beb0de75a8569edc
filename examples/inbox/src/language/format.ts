import { useStore } from '../client/store.ts';
import { currentLanguage, localeOf, type Language } from './language.ts';

export interface Format {
  readonly date: (text: string) => string;
  readonly longDate: (text: string) => string;
  readonly day: (text: string) => string;
  readonly time: (text: string) => string;
  /** Formats the time of day of a moment in milliseconds since 1970. */
  readonly clock: (moment: number) => string;
  readonly number: (text: string, currency?: string | null) => string;
  readonly count: (count: number) => string;
  /** Formats a number of bytes with a decimal unit, such as `1.5 MB`. */
  readonly size: (bytes: number) => string;
}

const formats = new Map<Language, Format>();

/** Returns the locale of the current language, for what is not in `Format`. */
export function useLocale(): string {
  return localeOf(useStore(currentLanguage));
}

export function useFormat(): Format {
  const language = useStore(currentLanguage);
  const format = formats.get(language) ?? createFormat(localeOf(language));
  formats.set(language, format);
  return format;
}

function createFormat(locale: string): Format {
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const longDate = new Intl.DateTimeFormat(locale, { dateStyle: 'long' });
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  const count = new Intl.NumberFormat(locale);
  return {
    date: (text) => formatted(momentOf(text), date),
    longDate: (text) => formatted(momentOf(text), longDate),
    day: (text) => {
      const moment = momentOf(text);
      const isThisYear = new Date(moment).getFullYear() === new Date().getFullYear();
      return formatted(moment, isThisYear ? day : date);
    },
    time: (text) => formatted(text, time),
    clock: (moment) => clock.format(moment),
    number: (text, currency) => formatNumber(text, currency ?? null, locale),
    count: (value) => count.format(value),
    size: (bytes) => formatSize(bytes, locale),
  };
}

/** A date without a time is not a moment: it must not move to another day in another time zone. */
function momentOf(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text;
}

const sizeUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

function formatSize(bytes: number, locale: string): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), sizeUnits.length - 1);
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: sizeUnits[step]!,
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step < 2 ? 0 : 1,
  }).format(bytes / 1000 ** step);
}

export function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text);
}

function formatNumber(text: string, currency: string | null, locale: string): string {
  if (!isNumber(text)) return text;
  const style = currency === null ? {} : ({ style: 'currency', currency } as const);
  // An amount has at least the decimal places of its currency.
  const usual = new Intl.NumberFormat(locale, style).resolvedOptions().minimumFractionDigits ?? 0;
  const places = Math.max(text.split('.')[1]?.length ?? 0, usual);
  return new Intl.NumberFormat(locale, {
    ...style,
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  }).format(text as Intl.StringNumericLiteral); // exactly, with any number of digits
}

function formatted(text: string, format: Intl.DateTimeFormat): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : format.format(date);
}
