import type { SchemaExtension } from '../../src/schema/extend.ts';

/** Fields of a team that require properties of documents, responses and recognition data. */
export const documentFields: SchemaExtension = (
  builder,
  { DocumentRef, DocumentResponseRef, RecoDataRef },
) => {
  builder.objectField(DocumentRef, 'riskScore', (t) =>
    t.int({
      nullable: true,
      requires: ['author', 'step'],
      resolve: ({ author, step }) => (author === 'usr-ann' ? (step ?? null) : 100),
    }),
  );
  builder.objectField(DocumentResponseRef, 'isOpen', (t) =>
    t.boolean({ requires: ['status'], resolve: ({ status }) => status === 1 }),
  );
  builder.objectField(RecoDataRef, 'lastPage', (t) =>
    t.int({
      nullable: true,
      requires: ['pageIndexEnd'],
      resolve: ({ pageIndexEnd }) => pageIndexEnd ?? null,
    }),
  );
};
