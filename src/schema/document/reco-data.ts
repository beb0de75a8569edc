import { dmsIdFrom } from '../ids.ts';
import { FileRef, RecoDataRef, RecoFormRef, RecoResultRef } from '../refs.ts';

RecoDataRef.implement({
  description: 'What was recognized in an attachment with one recognition form.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The DMS’s own id of the entry.' }),
    pageIndexStart: t.exposeInt('pageIndexStart', {
      nullable: true,
      requires: ['pageIndexStart'],
      description: 'First page of the entry, counted from 0; null where the DMS leaves it out.',
    }),
    pageIndexEnd: t.exposeInt('pageIndexEnd', {
      nullable: true,
      requires: ['pageIndexEnd'],
      description: 'Last page of the entry, counted from 0; null where the DMS leaves it out.',
    }),
    validated: t.exposeBoolean('validated', {
      nullable: true,
      requires: ['validated'],
      description: 'Whether a person has checked it; null where the DMS leaves it out.',
    }),
    form: t.expose('form', {
      type: RecoFormRef,
      nullable: true,
      requires: ['form'],
      description: 'The recognition form of the entry; null where the DMS leaves it out.',
    }),
    result: t.expose('result', {
      type: RecoResultRef,
      nullable: true,
      requires: ['result'],
      requiresUnder: 'result.',
      description: 'What the recognition itself came to; null where the DMS leaves it out.',
    }),
    file: t.field({
      type: FileRef,
      args: {
        id: t.arg.id({ required: true, description: 'The DMS’s own id of the file.' }),
      },
      description:
        'A file of this entry, such as the picture of an extracted region. Its name is its id; whether it exists shows when it is downloaded.',
      precheck: ({ id }: { id: string }) => {
        dmsIdFrom('File', id);
        return {};
      },
      resolve: ({ documentId, id: entryId }, args) => {
        const id = dmsIdFrom('File', args.id);
        return { documentId, entryId, id, name: id };
      },
    }),
  }),
});

RecoFormRef.implement({
  description: 'A recognition form.',
  fields: (t) => ({
    id: t.exposeString('id', {
      nullable: true,
      description: 'Its id; null where the DMS leaves it out.',
    }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'Its name; null where the DMS leaves it out.',
    }),
    form: t.expose('form', {
      type: 'JSON',
      nullable: true,
      description: 'Its definition, as the DMS sends it; usually null.',
    }),
  }),
});

RecoResultRef.implement({
  description: 'What a recognition came to.',
  fields: (t) => ({
    form: t.expose('form', {
      type: RecoFormRef,
      nullable: true,
      requires: ['form'],
      description: 'The recognition form that was found; null where none was.',
    }),
    confidence: t.exposeFloat('confidence', {
      nullable: true,
      requires: ['confidence'],
      description: 'How sure the recognition is of the form, as the DMS gives it.',
    }),
  }),
});
