import { isExtraName } from '../../rest/index.ts';
import { badInput, checkCount } from '../graphql-error.ts';
import { bounds } from '../input/list-bounds.ts';
import { builder, projectedFields } from '../builder.ts';
import { keyFields } from '../ids.ts';
import { urlCost } from '../plan/operation-plan.ts';
import { parsedArgs } from '../plan/parsed-arguments.ts';
import {
  DocumentRef,
  DocumentResponseRef,
  ActorRef,
  FileRef,
  metaField,
  RecoDataRef,
} from '../refs.ts';
import { objectField } from '../related-objects.ts';

DocumentRef.implement({
  description: 'A business document with values, attachments and a workflow.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    ...keyFields(
      t,
      'Document',
      'Full ID: 24 hexadecimal characters, such as `65f000005eed00d000000001`.',
    ),
    ...projectedFields(t, 'String', { shortId: 'Short ID to show to users, such as `DOC-0042`.' }),
    meta: t.expose('meta', { ...metaField, requires: ['meta'] }),
    author: objectField(t, ActorRef, ({ author }) => author, {
      requires: ['author'],
      description: 'The author of the document.',
    }),
    ...projectedFields(t, 'Int', {
      state: 'Number of the workflow phase, 0 to 100. The DMS defines its meaning.',
      step: 'Step within the phase, 0 to 100.',
      iteration: 'Iteration within the phase, 0 to 100.',
      status: 'Document status, 1 to 10. The DMS defines its meaning.',
      formSystemType: 'System type of the form. The DMS defines its meaning.',
    }),
    ...projectedFields(t, 'DateTime', {
      dateCreated:
        'Creation date of the document, which its form can let users edit. `meta.createdAt` is when the DMS stored the document.',
      dateDue: 'When the document is due.',
    }),
    tags: t.stringList({
      requires: ['tags'],
      description: 'Tags of the document.',
      resolve: ({ tags }) => tags ?? [],
    }),
    files: t.field({
      type: [FileRef],
      requires: ['files'],
      description: 'Attachments of the document.',
      resolve: ({ files }) => files ?? [],
    }),
    response: t.field({
      type: DocumentResponseRef,
      nullable: true,
      requires: ['response'],
      requiresUnder: 'response.',
      hasSideEffect: true,
      description:
        'The response of the user in the current phase. Null if no response is expected. Selecting this field makes the DMS create the response, so select it only if the user is about to respond.',
      resolve: ({ response }) => response ?? null,
    }),
    recoData: t.field({
      type: [RecoDataRef],
      requires: ['recoData'],
      requiresUnder: 'recoData.',
      description:
        'Data recognized in the attachments, one entry per recognition form. Empty for a document without recognition.',
      resolve: ({ recoData }) => recoData ?? [],
    }),
    extra: t.field({
      type: 'JSONObject',
      nullable: true,
      args: {
        names: t.arg.stringList({
          required: true,
          description: `Names of DMS fields, at most ${bounds.extraNames}. A name consists of letters, digits and \`_\`.`,
        }),
      },
      requires: ({ names }) => (names as string[]).map((name) => `extra:${name}` as const),
      description:
        'Fields of the document that this schema does not define, by name and as the DMS returns them. Fields that the document does not have are omitted.',
      parse: parseNames,
      resolve: ({ extra = {} }, args, context, info) => {
        const names = parsedArgs(parseNames, args, context, info);
        const found = names.filter((name) => Object.hasOwn(extra, name));
        return Object.fromEntries(found.map((name) => [name, extra[name]]));
      },
    }),
  }),
});

function parseNames({ names }: { readonly names: readonly string[] }): readonly string[] {
  checkCount('names', names, bounds.extraNames);
  for (const name of names) {
    if (!isExtraName(name)) {
      throw badInput(
        `\`names\` must be names of plain DMS fields, not ${JSON.stringify(name.slice(0, 60))}.`,
      );
    }
  }
  return names;
}

FileRef.implement({
  description: 'A file of a document or of a recognition entry.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'ID of the file in the DMS: 24 hexadecimal characters. It is not a global ID.',
    }),
    name: t.exposeString('name', { description: 'File name, such as `invoice.pdf`.' }),
    url: t.field({
      type: 'URL',
      listCost: urlCost,
      description:
        'Download URL of the file. A signed URL (with the parameter `t`) works as a plain link and expires. For any other URL, send the same headers as with this query.',
      resolve: ({ documentId, entryId, id }, _args, { fileUrl }) =>
        fileUrl(
          entryId === undefined
            ? ['documents', documentId, id]
            : ['documents', documentId, 'reco-data', entryId, id],
        ),
    }),
  }),
});
