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
