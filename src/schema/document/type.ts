import { isExtraName } from '../../model/document-requirements.ts';
import { badInput, checkCount } from '../graphql-error.ts';
import { bounds } from '../input/list-bounds.ts';
import { builder } from '../builder.ts';
import { toGlobalId } from '../ids.ts';
import {
  DocumentRef,
  DocumentResponseRef,
  ActorRef,
  FileRef,
  MetaRef,
  RecoDataRef,
} from '../refs.ts';
import { actorOf } from '../related-objects.ts';

const property = 'Null where the DMS leaves it out.';

DocumentRef.implement({
  description: 'A business document with its attachments, on its way through a workflow.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    id: t.id({
      keyOnly: true,
      description: 'The global id: opaque, and unique among all things.',
      resolve: ({ fullId }) => toGlobalId('Document', fullId),
    }),
    fullId: t.expose('fullId', {
      type: 'ObjectID',
      keyOnly: true,
      description: 'The full id: 24 hexadecimal characters (`_id`).',
    }),
    shortId: t.exposeString('shortId', {
      nullable: true,
      requires: ['shortId'],
      description: `The short id that people read and type (\`_id_web\`). ${property}`,
    }),
    meta: t.expose('meta', {
      type: MetaRef,
      nullable: true,
      requires: ['meta'],
      description: `When it was stored and changed (\`_meta\`). ${property}`,
    }),
    author: t.field({
      type: ActorRef,
      nullable: true,
      requires: ['author'],
      description:
        'Who created it (`author`); null where the DMS leaves it out or the person is gone.',
      resolve: ({ author }, _args, context, info) => actorOf(author, context, info),
    }),
    state: t.exposeInt('state', {
      nullable: true,
      requires: ['state'],
      description: `Process phase, 0 to 100 (\`state\`). ${property}`,
    }),
    step: t.exposeInt('step', {
      nullable: true,
      requires: ['step'],
      description: `Step within the phase, 0 to 100 (\`step\`). ${property}`,
    }),
    iteration: t.exposeInt('iteration', {
      nullable: true,
      requires: ['iteration'],
      description: `Iteration within the phase, 0 to 100 (\`iteration\`). ${property}`,
    }),
    status: t.exposeInt('status', {
      nullable: true,
      requires: ['status'],
      description: `Document status, 1 to 10 (\`status\`). ${property}`,
    }),
    formSystemType: t.exposeInt('formSystemType', {
      nullable: true,
      requires: ['formSystemType'],
      description: `System type of its form (\`formsystype\`). ${property}`,
    }),
    dateCreated: t.expose('dateCreated', {
      type: 'DateTime',
      nullable: true,
      requires: ['dateCreated'],
      description: `When it was created (\`datecreated\`). ${property}`,
    }),
    dateDue: t.expose('dateDue', {
      type: 'DateTime',
      nullable: true,
      requires: ['dateDue'],
      description: 'When it is due (`datedue`); null where it is not set.',
    }),
    tags: t.stringList({
      requires: ['tags'],
      description: 'Its tags, in the order of the DMS (`_tags`).',
      resolve: ({ tags }) => tags ?? [],
    }),
    files: t.field({
      type: [FileRef],
      requires: ['files'],
      description: 'Its attachments, in the order of the DMS (`filesList`).',
      resolve: ({ files }) => files ?? [],
    }),
    response: t.field({
      type: DocumentResponseRef,
      nullable: true,
      requires: ['response'],
      requiresUnder: 'response.',
      description:
        'The response that the DMS prepares for the current user and phase (`docResponse`). Asking for it makes the DMS prepare it; null where there is nothing to respond to.',
      resolve: ({ response }) => response ?? null,
    }),
    recoData: t.field({
      type: [RecoDataRef],
      requires: ['recoData'],
      requiresUnder: 'recoData.',
      description:
        'What was recognized in its attachments, one entry per recognition form (`recoData`); empty for a document without recognition.',
      resolve: ({ recoData }) => recoData ?? [],
    }),
    extra: t.field({
      type: 'JSONObject',
      nullable: true,
      args: {
        names: t.arg.stringList({
          required: true,
          description: `Names of REST fields: letters, digits and \`_\`; at most ${bounds.extraNames}.`,
        }),
      },
      requires: ({ names }) => (names as string[]).map((name) => `extra:${name}` as const),
      description:
        'Fields of the REST document that this schema does not name, as the DMS sends them.',
      precheck: ({ names }: { names: string[] }) => {
        checkExtra(names);
        return {};
      },
      resolve: ({ extra }, { names }) => {
        checkExtra(names);
        return Object.fromEntries(
          names
            .filter((name) => Object.hasOwn(extra ?? {}, name))
            .map((name) => [name, extra![name]]),
        );
      },
    }),
  }),
});

function checkExtra(names: readonly string[]): void {
  checkCount('names', names, bounds.extraNames);
  for (const name of names) {
    if (!isExtraName(name)) {
      throw badInput(
        `\`names\` takes names of plain REST fields, not ${JSON.stringify(name.slice(0, 60))}.`,
      );
    }
  }
}

FileRef.implement({
  description: 'A file of a document.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'The DMS’s own id of the file: 24 hexadecimal characters.',
    }),
    name: t.exposeString('name', { description: 'File name, as it was uploaded.' }),
    url: t.field({
      type: 'URL',
      description:
        'Where this gateway serves the file. A plain link where the gateway holds the credential (it then expires); otherwise to be requested with the same headers as this query.',
      resolve: ({ documentId, entryId, id }, _args, { fileUrl }) =>
        fileUrl(
          entryId === undefined
            ? ['documents', documentId, id]
            : ['documents', documentId, 'reco-data', entryId, id],
        ),
    }),
  }),
});
