import type { Translation } from '../model/common.ts';
import { builder } from './builder.ts';
import { MetaRef, TranslationRef } from './refs.ts';

MetaRef.implement({
  description: 'When a thing was stored and changed, and how often.',
  fields: (t) => ({
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was stored; null where the DMS does not tell.',
    }),
    modifiedAt: t.expose('modifiedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last changed; null where the DMS does not tell.',
    }),
    revision: t.exposeInt('revision', {
      nullable: true,
      description: 'Counts the changes, and grows with each; null where the DMS does not tell.',
    }),
  }),
});

TranslationRef.implement({
  description: 'A text in one language.',
  fields: (t) => ({
    language: t.exposeString('language', {
      description:
        'Short name of the language, such as `en`; empty for the text without a language.',
    }),
    text: t.exposeString('text', { description: 'The text in that language.' }),
  }),
});

/** The `language` argument of every localized text. */
export const languageArg = builder.args((t) => ({
  language: t.string({
    description:
      'Short name of the language, such as `en`. Left out: the first of the request’s Accept-Language that there is.',
  }),
}));

/** The text in the asked language, else in the first accepted one, else the first there is; null where there is none. */
export function translated(
  translations: readonly Translation[],
  language: string | null | undefined,
  accepted: readonly string[],
): string | null {
  const preferred = language == null ? accepted : [language, ...accepted];
  for (const wanted of preferred) {
    const found = translations.find((translation) => translation.language === wanted);
    if (found !== undefined) return found.text;
  }
  return translations[0]?.text ?? null;
}
