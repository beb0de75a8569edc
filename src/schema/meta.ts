import { MetaRef, TranslationRef } from './refs.ts';

MetaRef.implement({
  description: 'Creation time, modification time and revision of an object.',
  fields: (t) => ({
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the object was created.',
    }),
    modifiedAt: t.expose('modifiedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the object was last changed.',
    }),
    revision: t.exposeInt('revision', {
      nullable: true,
      description:
        'Revision number, which increases with each change. For a document, pass it as `expectedRevision` to detect concurrent changes.',
    }),
  }),
});

TranslationRef.implement({
  description: 'A text in one language.',
  fields: (t) => ({
    language: t.exposeString('language', {
      description: 'Language code, such as `en`. Empty for a text without a language.',
    }),
    text: t.exposeString('text', { description: 'The text in that language.' }),
  }),
});
