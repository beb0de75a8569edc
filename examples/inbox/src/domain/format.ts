const dateFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const timeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const numberFormat = new Intl.NumberFormat(undefined, { maximumFractionDigits: 20 });

/** Formats a timestamp or an ISO date as a date in the language of the browser. */
export function formatDate(text: string): string {
  // A date without a time is not a moment: it must not move to another day in another time zone.
  return formatted(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text, dateFormat);
}

/** Formats a timestamp with its time. */
export function formatTime(text: string): string {
  return formatted(text, timeFormat);
}

/** Formats a decimal number without rounding, and keeps its decimal places. Returns any other text as it is. */
export function formatNumber(text: string): string {
  if (!isNumber(text)) return text;
  const places = text.split('.')[1]?.length ?? 0;
  if (text.replaceAll(/\D/g, '').length > 15) return text;
  return new Intl.NumberFormat(undefined, {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  }).format(Number(text));
}

/** Formats a count. */
export function formatCount(count: number): string {
  return numberFormat.format(count);
}

const sizeUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Formats a number of bytes with a decimal unit, such as `1.5 MB`. */
export function formatSize(bytes: number): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), sizeUnits.length - 1);
  const unit = sizeUnits[step]!;
  return new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit,
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step < 2 ? 0 : 1,
  }).format(bytes / 1000 ** step);
}

/** Whether a text is a decimal number, such as `-12.50`. */
export function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text);
}

function formatted(text: string, format: Intl.DateTimeFormat): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : format.format(date);
}
