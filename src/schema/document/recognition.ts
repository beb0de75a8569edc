import { checkRange } from '../graphql-error.ts';
import { builder } from '../builder.ts';
import { MAX_INDEX } from '../paging/cursor.ts';
import { DocumentRef, RecognizedTextRef } from '../refs.ts';

builder.objectFields(DocumentRef, (t) => ({
  recognizedText: t.field({
    type: RecognizedTextRef,
    nullable: true,
    keyOnly: true,
    args: {
      page: t.arg.int({ description: 'Page index, from 0; left out: the text of all pages.' }),
    },
    description: 'Text read from the document; null where there is none.',
    precheck: ({ page }: { page?: number | null }) => {
      if (page != null) checkRange('page', page, 0, MAX_INDEX);
      return { calls: 1 };
    },
    resolve: ({ fullId }, { page }, { loaders }) => {
      if (page != null) checkRange('page', page, 0, MAX_INDEX);
      return loaders.recognizedText.load(page == null ? fullId : `${fullId} ${page}`);
    },
  }),
  recognizedPdfUrl: t.field({
    type: 'URL',
    keyOnly: true,
    description:
      'Where this gateway serves the recognized PDF with its text layer. Whether there is one shows when it is downloaded.',
    resolve: ({ fullId }, _args, { fileUrl }) => fileUrl(['documents', fullId, 'pdf']),
  }),
}));

RecognizedTextRef.implement({
  description: 'Text read from a document.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'The text.' }),
    page: t.exposeInt('page', {
      nullable: true,
      description: 'Index of the page, from 0; null for the text of all pages.',
    }),
    totalCount: t.exposeInt('totalCount', {
      nullable: true,
      description: 'The DMS’s X-Total-Count; null where it does not tell.',
    }),
  }),
});
