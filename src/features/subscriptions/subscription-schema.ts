import {
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  type GraphQLFieldConfig,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
} from 'graphql';
import type { GatewayContext } from '../../context.ts';
import type { DocumentRequirements } from '../../model/document-requirements.ts';
import type { Document, DocumentView } from '../../model/document.ts';
import type { DeclaredForms } from '../../model/form.ts';
import { filterOf, type FilterArgs } from '../../schema/document/filter.ts';
import { checkRange } from '../../schema/graphql-error.ts';
import { parserOf, toGlobalId } from '../../schema/ids.ts';
import { parsedArgs } from '../../schema/plan/parsed-arguments.ts';
import { countedList, lazyList } from '../../schema/plan/list-fields.ts';
import { extensionsWith } from '../../schema/plan/operation-plan.ts';
import { documentRequirements } from '../../schema/plan/requirements.ts';
import type { LivePage, PageChange } from './caller-watches.ts';
import type { LiveEvent } from './event-stream.ts';
import { liveDocuments, type LiveDocuments } from './live.ts';

const description =
  'Entry points for watching. The gateway polls the DMS once per user and watched object and sends an event after each change.';
const ending =
  'Completes with an error if the user loses access or the token expires, and without one if the gateway shuts down. Failures of the DMS do not end it. Do not select `response`.';

const maxFirst = 100;
const defaultFirst = 20;

type Field<Args = unknown> = GraphQLFieldConfig<unknown, GatewayContext, Args>;

const extended = new WeakMap<GraphQLSchema, GraphQLSchema>();

export function addSubscriptions(schema: GraphQLSchema): GraphQLSchema {
  let found = extended.get(schema);
  if (found === undefined) {
    const { subscription, types, ...config } = schema.toConfig();
    const root = new GraphQLObjectType({
      ...subscription?.toConfig(),
      name: 'Subscription',
      description,
      fields: { ...subscription?.toConfig().fields, ...fieldsFor(schema) },
    });
    const others = types.filter((type) => type !== subscription);
    found = new GraphQLSchema({ ...config, subscription: root, types: others });
    extended.set(schema, found);
  }
  return found;
}

const parseId = parserOf('Document');

function fieldsFor(schema: GraphQLSchema) {
  const document = schema.getType('Document') as GraphQLOutputType;
  const view = schema.getType('DocumentView') as GraphQLInputType;
  const filter = schema.getType('DocumentFilter') as GraphQLInputType;
  const documentChanged: Field<{ readonly id: string }> = {
    type: document,
    description: `Emits the document at once, and again each time its revision changes. Emits null and completes if the document no longer exists or is no longer visible to the user. ${ending}`,
    args: {
      id: {
        type: new GraphQLNonNull(GraphQLID),
        description: 'Global ID, full ID or short ID of the document.',
      },
    },
    extensions: extensionsWith({ parse: parseId, limitCost: () => ({ calls: 1 }) }),
    subscribe: (_root, args, context, info) =>
      liveOf(context).document(parsedArgs(parseId, args, context, info)),
    resolve: (event, _args, context, info) =>
      documentOf(event as LiveEvent<Document>, context, info),
  };
  const documentsChanged: Field<WatchArgs> = {
    type: new GraphQLNonNull(changeType(document)),
    description: `Emits the first documents of a view at once, and their changes each time a document is added, changes or leaves, or the total count changes. ${ending}`,
    args: {
      filter: { type: filter, description: 'Watch only documents that match this filter.' },
      first: {
        type: GraphQLInt,
        defaultValue: defaultFirst,
        description: `Number of documents to watch, from the start of the view: 1 to ${maxFirst}.`,
      },
      view: {
        type: new GraphQLNonNull(view),
        defaultValue: 'INBOX',
        description: 'View to watch.',
      },
    },
    extensions: extensionsWith({
      parse: parsePage,
      limitCost: ({ first: items }: LivePage) => ({ calls: 1, items }),
    }),
    subscribe: (_root, args, context, info) =>
      liveOf(context).page(parsedArgs(parsePage, args, context, info)),
    resolve: (event, args, context, info) => {
      const page = parsedArgs(parsePage, args, context, info);
      return documentsOf(event as LiveEvent<PageChange>, page, context, info);
    },
  };
  return { documentChanged, documentsChanged };
}

function changeType(document: GraphQLOutputType): GraphQLObjectType {
  const listOf = (type: GraphQLOutputType) =>
    new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)));
  const documents = (text: string): Field => ({
    type: listOf(document),
    description: text,
    extensions: extensionsWith({ requiresUnder: '' }),
    resolve: countedList(),
  });
  const fields: Record<string, Field> = {
    added: documents('Documents that are now among the first ones, in the order of the DMS.'),
    changed: documents('Documents among the first ones that have a new revision.'),
    removedIds: {
      type: listOf(GraphQLID),
      description: 'Global IDs of documents that are no longer among the first ones.',
      resolve: countedList((change) => {
        const { removed } = change as DocumentsChange;
        return lazyList(removed.length, () => removed.map((id) => toGlobalId('Document', id)));
      }),
    },
    totalCount: {
      type: GraphQLInt,
      description: 'Total number of documents in the view. Null if the DMS does not report it.',
    },
  };
  return new GraphQLObjectType({
    name: 'DocumentsChange',
    description:
      'The changes of the first documents of a view since the previous event. The first event has all documents in `added`.',
    fields,
  });
}

function liveOf(context: GatewayContext): LiveDocuments {
  const live = liveDocuments.get(context);
  if (live === undefined) throw new Error('Only a subscription can watch documents.');
  return live;
}

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
  readonly removed: readonly string[];
}

interface WatchArgs {
  readonly view: DocumentView;
  readonly filter?: FilterArgs | null | undefined;
  readonly first?: number | null | undefined;
}

function parsePage({ view, filter, first }: WatchArgs, forms: DeclaredForms | null): LivePage {
  const size = first ?? defaultFirst;
  checkRange('first', size, 1, maxFirst);
  return { view, filter: filterOf(filter, forms), first: size };
}

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
