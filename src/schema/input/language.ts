import { lookupTags, type Translation } from '../../model/common.ts';
import type { ObjectFieldBuilder, OutputField } from '../builder.ts';

/**
 * A field with a text in the language of its argument. Null if there is no translation.
 *
 * @param what names the text in the description, such as `Title`
 */
export function localizedTextField<Shape>(
  t: ObjectFieldBuilder<Shape>,
  what: string,
  translationsOf: (object: Shape) => readonly Translation[] | undefined,
): OutputField<string | null | undefined> {
  return t.string({
    nullable: true,
    args: {
      language: t.arg.string({
        description:
          'Preferred language, such as `en`. `en-GB` also matches `en`; case is ignored. Default: the languages of the `Accept-Language` header.',
      }),
    },
    description: `${what} in the requested language. Falls back to the languages of the \`Accept-Language\` header, then to the first translation.`,
    resolve: (object, { language }, { languages }) =>
      translated(translationsOf(object) ?? [], language, languages),
  });
}

/**
 * Returns the text in the requested language, otherwise in the first accepted language, otherwise the first
 * translation. Null if there is none.
 * @param accepted tags in lower case
 */
function translated(
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
