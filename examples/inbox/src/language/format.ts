import { useStore } from '../../../ui/store.ts';
import { currentLanguage, localeOf, type Language } from './language.ts';

export type Format = ReturnType<typeof createFormat>;

const formats = new Map<Language, Format>();

export function useLocale(): string {
  return localeOf(useStore(currentLanguage));
}

export function useFormat(): Format {
  const language = useStore(currentLanguage);
  const format = formats.get(language) ?? createFormat(localeOf(language));
  formats.set(language, format);
  return format;
}

function createFormat(locale: string) {
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const longDate = new Intl.DateTimeFormat(locale, { dateStyle: 'long' });
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  const count = new Intl.NumberFormat(locale);
  return {
    date: (text: string) => formatted(momentOf(text), date),
    longDate: (text: string) => formatted(momentOf(text), longDate),
    day: (text: string) => {
      const moment = momentOf(text);
      const isThisYear = new Date(moment).getFullYear() === new Date().getFullYear();
      return formatted(moment, isThisYear ? day : date);
    },
    time: (text: string) => formatted(text, time),
    /** Formats the time of day of a moment in milliseconds since 1970. */
    clock: (moment: number) => clock.format(moment),
    number: (text: string, currency: string | null = null) => formatNumber(text, currency, locale),
    count: (value: number) => count.format(value),
    /** Formats a number of bytes with a decimal unit, such as `1.5 MB`. */
    size: (bytes: number) => formatSize(bytes, locale),
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
