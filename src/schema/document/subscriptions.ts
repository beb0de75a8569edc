import type { GraphQLResolveInfo } from 'graphql';
import type { GatewayContext } from '../../context.ts';
import type { LivePage, PageChange } from '../../live/caller-watches.ts';
import type { LiveDocuments } from '../../live/index.ts';
import type { LiveEvent } from '../../live/event-stream.ts';
import type { DocumentRequirements } from '../../model/document-requirements.ts';
import type { Document, DocumentView } from '../../model/document.ts';
import type { DeclaredForms } from '../../model/form.ts';
import { builder, plainFields } from '../builder.ts';
import { checkRange } from '../graphql-error.ts';
import { dmsIdFrom, precheckId, toGlobalId } from '../ids.ts';
import { DocumentRef } from '../refs.ts';
import { lazyList } from '../plan/list-fields.ts';
import { documentRequirements } from '../plan/requirements.ts';
import { filterOf, FilterInput, type FilterArgs } from './filter.ts';
import { View } from './queries.ts';

/*
 * Subscriptions. `subscribe` watches the properties that a poll reads. `resolve` reads the selected properties, once
 * per event.
 */

const ending =
  'Completes with an error if the user loses access or the token expires, and without one if the gateway shuts down. Failures of the DMS do not end it. Do not select `response`.';

const maxFirst = 100;
const defaultFirst = 20;

function liveOf({ live }: GatewayContext): LiveDocuments {
  if (live === null) throw new Error('Only a subscription can watch documents.');
  return live;
}

builder.subscriptionField('documentChanged', (t) =>
  t.field({
    type: DocumentRef,
    nullable: true,
    args: {
      id: t.arg.id({
        required: true,
        description: 'Global ID, full ID or short ID of the document.',
      }),
    },
    precheck: precheckId('Document'),
    description: `Emits the document at once, and again each time its revision changes. Emits null and completes if the document no longer exists or is no longer visible to the user. ${ending}`,
    subscribe: (_root, { id }, context) => liveOf(context).document(dmsIdFrom('Document', id)),
    resolve: (event, _args, context, info) => documentOf(event, context, info),
  }),
);

async function documentOf(
  event: LiveEvent<Document>,
  { loaders }: GatewayContext,
  info: GraphQLResolveInfo,
): Promise<Document | null> {
  const { change, error } = event;
  if (event.isNotFound) return null;
  if (change === null) throw error;
  const requirements = documentRequirements(info);
  // The result of the poll is as recent as that of another read.
  if (isPolled(requirements)) return change;
  const document = await loaders.document.load(change.fullId, requirements);
  if (document === null) event.end();
  return document;
}

function isPolled(requirements: DocumentRequirements): boolean {
  return requirements.size === 0 || (requirements.size === 1 && requirements.has('meta'));
}

interface DocumentsChange extends Pick<PageChange, 'totalCount'> {
  readonly added: readonly Document[];
  readonly changed: readonly Document[];
  /** Full IDs. */
  readonly removed: readonly string[];
}

const DocumentsChangeRef = builder.objectRef<DocumentsChange>('DocumentsChange').implement({
  description:
    'The changes of the first documents of a view since the previous event. The first event has all documents in `added`.',
  fields: (t) => ({
    ...plainFields(t, 'Int', {
      totalCount: 'Total number of documents in the view. Null if the DMS does not report it.',
    }),
    added: t.field({
      type: [DocumentRef],
      requiresUnder: '',
      description: 'Documents that are now among the first ones, in the order of the DMS.',
      resolve: ({ added }) => added,
    }),
    changed: t.field({
      type: [DocumentRef],
      requiresUnder: '',
      description: 'Documents among the first ones that have a new revision.',
      resolve: ({ changed }) => changed,
    }),
    removedIds: t.idList({
      description: 'Global IDs of documents that are no longer among the first ones.',
      resolve: ({ removed }) =>
        lazyList(removed.length, () => removed.map((id) => toGlobalId('Document', id))),
    }),
  }),
});

interface WatchArgs {
  readonly view: DocumentView;
  readonly filter?: FilterArgs | null | undefined;
  readonly first?: number | null | undefined;
}

/** @throws BAD_USER_INPUT for invalid arguments */
function pageOf({ view, filter, first }: WatchArgs, forms: DeclaredForms | null): LivePage {
  const size = first ?? defaultFirst;
  checkRange('first', size, 1, maxFirst);
  return { view, filter: filterOf(filter, forms), first: size };
}

builder.subscriptionField('documentsChanged', (t) =>
  t.field({
    type: DocumentsChangeRef,
    args: {
      view: t.arg({
        type: View,
        required: true,
        defaultValue: 'INBOX',
        description: 'View to watch.',
      }),
      filter: t.arg({
        type: FilterInput,
        description: 'Watch only documents that match this filter.',
      }),
      first: t.arg.int({
        defaultValue: defaultFirst,
        description: `Number of documents to watch, from the start of the view: 1 to ${maxFirst}.`,
      }),
    },
    precheck: (args: WatchArgs, forms) => ({ calls: 1, items: pageOf(args, forms).first }),
    description: `Emits the first documents of a view at once, and their changes each time a document is added, changes or leaves, or the total count changes. ${ending}`,
    subscribe: (_root, args, context) => liveOf(context).page(pageOf(args, context.forms)),
    resolve: (event, args, context, info) =>
      documentsOf(event, pageOf(args, context.forms), context, info),
  }),
);

/** Costs no upstream request if only IDs are selected; one for a single document; otherwise one for the page. */
async function documentsOf(
  { change, error }: LiveEvent<PageChange>,
  { view, filter, first }: LivePage,
  { dms, loaders }: GatewayContext,
  info: GraphQLResolveInfo,
): Promise<DocumentsChange> {
  if (change === null) throw error;
  const { totalCount, added, changed, removed } = change;
  const requirements = documentRequirements(info);
  const load = async (ids: readonly string[]): Promise<Document[]> => {
    if (requirements.size === 0) return ids.map((fullId) => ({ fullId }));
    const found = await Promise.all(ids.map((id) => loaders.document.load(id, requirements)));
    return found.filter((one) => one !== null); // removed since the poll: the next event reports it
  };
  if (requirements.size > 0 && added.length + changed.length > 1) {
    const page = { first: 0, pageSize: first };
    const { items } = await dms.documents.inView({ view, filter, page }, requirements);
    loaders.document.prime(items, requirements);
  }
  const [addedDocuments, changedDocuments] = await Promise.all([load(added), load(changed)]);
  return { totalCount, added: addedDocuments, changed: changedDocuments, removed };
}
