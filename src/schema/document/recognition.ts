import { checkRange } from '../graphql-error.ts';
import { builder } from '../builder.ts';
import { MAX_INDEX } from '../paging/window.ts';
import { urlCost } from '../plan/field-hints.ts';
import { DocumentRef, RecognizedTextRef } from '../refs.ts';

builder.objectFields(DocumentRef, (t) => ({
  recognizedText: t.field({
    type: RecognizedTextRef,
    nullable: true,
    keyOnly: true,
    args: {
      page: t.arg.int({ description: 'Zero-based page index. Default: the text of all pages.' }),
    },
    description: 'Text recognized in the document. Costs one DMS request.',
    precheck: ({ page }: { page?: number | null }) => {
      if (page != null) checkRange('page', page, 0, MAX_INDEX);
      return { calls: 1 };
    },
    resolve: ({ fullId }, { page }, { loaders }) => {
      if (page != null) checkRange('page', page, 0, MAX_INDEX);
      return loaders.recognizedText.load(`${page ?? ''} ${fullId}`);
    },
  }),
  recognizedPdfUrl: t.field({
    type: 'URL',
    keyOnly: true,
    listCost: urlCost,
    description:
      'Download URL of the recognized PDF with its text layer. The gateway does not check whether there is one: if there is none, the download returns 404.',
    resolve: ({ fullId }, _args, { fileUrl }) => fileUrl(['documents', fullId, 'pdf']),
  }),
}));

RecognizedTextRef.implement({
  description: 'Text recognized in a document.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'The text.' }),
    page: t.exposeInt('page', {
      nullable: true,
      description: 'Zero-based index of the page. Null for the text of all pages.',
    }),
    totalCount: t.exposeInt('totalCount', {
      nullable: true,
      description: 'Total count that the DMS reports with the text, usually the number of pages.',
    }),
  }),
});
