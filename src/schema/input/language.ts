import type { Translation } from '../../model/common.ts';
import { lookupTags } from '../../model/language.ts';
import { builder } from '../builder.ts';

/** The `language` argument of every localized text. */
export const languageArg = builder.args((t) => ({
  language: t.string({
    description:
      'Preferred language, such as `en`. `en-GB` also matches `en`; case is ignored. Default: the languages of the `Accept-Language` header.',
  }),
}));

/**
 * Returns the text in the requested language, otherwise in the first accepted language, otherwise the first
 * translation. Null if there is none.
 * @param accepted tags in lower case
 */
export function translated(
  translations: readonly Translation[],
  language: string | null | undefined,
  accepted: readonly string[],
): string | null {
  const preferred = language == null ? accepted : [...lookupTags(language), ...accepted];
  for (const wanted of preferred) {
    const found = translations.find((translation) => translation.language.toLowerCase() === wanted);
    if (found !== undefined) return found.text;
  }
  return translations[0]?.text ?? null;
}
