import { isReference, readReference } from '../../domain/reference.ts';
import { useFormat, useLocale } from '../../language/format.ts';
import {
  exampleOf,
  isDoubtful,
  otherCurrency,
  readValue,
  type ValueType,
} from '../../language/reading.ts';
import { useText } from '../../language/text.ts';

/** Returns a function that returns what is wrong with a text as a value of a field or a column, or null. */
export function useExplainText(): (of: ValueType, text: string) => string | null {
  const t = useText();
  const locale = useLocale();
  const format = useFormat();
  return (of, text) => {
    const { type, currency } = of;
    const { typed } = readReference(text);
    if (typed !== '' && isReference(type))
      return t('“{text}” is not one of the suggestions.', { text: typed });
    if (type === 'person')
      return isName(text) ? t('No person of the name “{text}” is known here.', { text }) : null;
    const value = readValue(of, text, locale);
    const other = otherCurrency(of, text);
    if (other !== null)
      return t('This amount is in {currency}, not in {other}.', {
        currency: currency ?? '',
        other,
      });
    if (value === null)
      return t(
        type === 'date'
          ? '“{text}” is not a date such as {example}'
          : '“{text}” is not a number such as {example}',
        { text, example: exampleOf(type, locale) },
      );
    if (!isDoubtful(of, text, locale)) return null;
    return t('Is {date} meant? Then write {iso}.', { date: format.longDate(value), iso: value });
  };
}

function isName(text: string): boolean {
  return text !== '' && !/^[\w.@-]*[\d_@-][\w.@-]*$/.test(text);
}
