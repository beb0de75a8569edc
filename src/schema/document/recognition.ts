import { checkRange } from '../graphql-error.ts';
import { builder, plainFields, projectedFields } from '../builder.ts';
import { MAX_INDEX } from '../paging/window.ts';
import { urlCost } from '../plan/operation-plan.ts';
import { parsedArgs } from '../plan/parsed-arguments.ts';
import { parserOf } from '../ids.ts';
import {
  DocumentRef,
  FileRef,
  RecognizedTextRef,
  RecoDataRef,
  RecoFormRef,
  RecoResultRef,
} from '../refs.ts';

interface TextArgs {
  readonly page?: number | null | undefined;
}

function parsePage({ page }: TextArgs): number | null {
  if (page != null) checkRange('page', page, 0, MAX_INDEX);
  return page ?? null;
}

const parseFileId = parserOf('File');

builder.objectFields(DocumentRef, (t) => ({
  recognizedText: t.field({
    type: RecognizedTextRef,
    nullable: true,
    keyOnly: true,
    args: {
      page: t.arg.int({ description: 'Zero-based page index. Default: the text of all pages.' }),
    },
    description: 'Text recognized in the document. Costs one DMS request.',
    parse: parsePage,
    limitCost: () => ({ calls: 1 }),
    resolve: ({ fullId }, args, context, info) => {
      const page = parsedArgs(parsePage, args, context, info);
      return context.loaders.recognizedText.load(`${page ?? ''} ${fullId}`);
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
    ...plainFields(t, 'Int', {
      page: 'Zero-based index of the page. Null for the text of all pages.',
      totalCount: 'Total count that the DMS reports with the text, usually the number of pages.',
    }),
  }),
});

RecoDataRef.implement({
  description: 'Data recognized in an attachment with one recognition form.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'ID of the entry in the DMS. It is not a global ID.' }),
    ...projectedFields(t, 'Int', {
      pageIndexStart: 'Zero-based index of the first page of the entry.',
      pageIndexEnd: 'Zero-based index of the last page of the entry.',
    }),
    ...projectedFields(t, 'Boolean', { validated: 'Whether a user has validated the data.' }),
    form: t.expose('form', {
      type: RecoFormRef,
      nullable: true,
      requires: ['form'],
      description: 'Recognition form of the entry.',
    }),
    result: t.expose('result', {
      type: RecoResultRef,
      nullable: true,
      requires: ['result'],
      requiresUnder: 'result.',
      description: 'Result of the automatic recognition.',
    }),
    file: t.field({
      type: FileRef,
      args: {
        id: t.arg.id({ required: true, description: 'ID of the file in the DMS.' }),
      },
      description:
        'Returns a file of the entry, such as the image of an extracted region. The `name` of the file is its ID. The gateway does not check whether the file exists: if it does not, the download returns 404.',
      parse: parseFileId,
      resolve: ({ documentId, id: entryId }, args, context, info) => {
        const id = parsedArgs(parseFileId, args, context, info);
        return { documentId, entryId, id, name: id };
      },
    }),
  }),
});

RecoFormRef.implement({
  description: 'A recognition form.',
  fields: (t) => ({
    ...plainFields(t, 'String', {
      id: 'ID of the recognition form. It is not a global ID.',
      name: 'Name of the recognition form.',
    }),
    form: t.expose('form', {
      type: 'JSON',
      nullable: true,
      description: 'Definition of the recognition form, as the DMS returns it. Usually null.',
    }),
  }),
});

RecoResultRef.implement({
  description: 'Result of an automatic recognition.',
  fields: (t) => ({
    form: t.expose('form', {
      type: RecoFormRef,
      nullable: true,
      requires: ['form'],
      description: 'Recognition form that was detected.',
    }),
    confidence: t.exposeFloat('confidence', {
      nullable: true,
      requires: ['confidence'],
      description: 'Confidence in the detected form, as the DMS reports it.',
    }),
  }),
});
