import DataLoader from 'dataloader';
import {
  defaultFieldResolver,
  GraphQLSchema,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
} from 'graphql';
import type { GatewayContext } from '../../context.ts';
import type {
  DocumentRequirements,
  DocumentRequirement,
} from '../../model/document-requirements.ts';
import type { Document, RecoData } from '../../model/document.ts';
import { isNodeType, resources, type NodeType } from '../../model/resource.ts';
import { createGraphQLError } from '../../schema/graphql-error.ts';
import { mapSchema, MapperKind } from '../../schema/libraries.ts';
import { deferDirective, streamDirective } from '../../schema/plan/directives.ts';
import { hintsOf } from '../../schema/plan/operation-plan.ts';
import { fieldRequirements } from '../../schema/plan/requirements.ts';
import type { DocumentPages } from './document-pages.ts';
import { IncrementalOperation } from './incremental-operation.ts';

type Resolve = GraphQLFieldResolver<unknown, GatewayContext>;

const withDirectives = new WeakMap<GraphQLSchema, GraphQLSchema>();

export function addDirectives(schema: GraphQLSchema): GraphQLSchema {
  let found = withDirectives.get(schema);
  if (found === undefined) {
    const { directives, ...config } = schema.toConfig();
    found = new GraphQLSchema({
      ...config,
      directives: [...directives, deferDirective, streamDirective],
    });
    withDirectives.set(schema, found);
  }
  return found;
}

const variants = new WeakMap<GraphQLSchema, GraphQLSchema>();

export function incrementalSchemaOf(schema: GraphQLSchema): GraphQLSchema {
  let variant = variants.get(schema);
  if (variant === undefined) {
    variant = mapSchema(schema, {
      [MapperKind.OBJECT_FIELD]: (field) => {
        const resolve = field.resolve ?? defaultFieldResolver;
        return { ...field, resolve: orderedResolver(resolve, hintsOf(field).keyOnly === true) };
      },
    });
    variants.set(schema, variant);
  }
  return variant;
}

function orderedResolver(resolve: Resolve, isKeyOnly: boolean): Resolve {
  return (source, args, context, info) => {
    const { incremental, loaders } = context;
    if (!(incremental instanceof IncrementalOperation)) return resolve(source, args, context, info);
    const run = (complete: unknown): unknown => resolve(complete, args, context, info);
    return incremental.resolveInOrder(source, info, (isDeferred) => {
      if (!isDeferred) return run(source);
      const complete = completeSource(
        source,
        { pages: incremental.pages, loaders },
        info,
        isKeyOnly,
      );
      return complete instanceof Promise ? complete.then(run) : run(complete);
    });
  };
}

/*
 * The first part reads only the properties that it selects. A field of a deferred fragment receives an object with the
 * properties that the field requires: the same object if it has all of them, otherwise one that is read now.
 */

interface Readers {
  readonly pages: DocumentPages;
  readonly loaders: GatewayContext['loaders'];
}

type Complete<T> = (source: T, requirements: DocumentRequirements, readers: Readers) => unknown;

interface PageSource {
  readonly items: readonly unknown[];
  readonly readDeferred?: (requirements: DocumentRequirements) => Promise<PageSource>;
}

const deferredPages = new WeakMap<PageSource, DataLoader<DocumentRequirements, PageSource>>();

async function readDeferred(
  page: PageSource,
  requirements: DocumentRequirements,
): Promise<PageSource> {
  const read = page.readDeferred;
  if (read === undefined) return page;
  let loader = deferredPages.get(page);
  if (loader === undefined) {
    let reading: Promise<PageSource> | undefined;
    const batch = async (sets: readonly DocumentRequirements[]): Promise<PageSource[]> => {
      reading ??= read(new Set(sets.flatMap((set) => [...set])));
      const completed = await reading;
      return sets.map(() => completed);
    };
    loader = new DataLoader(batch, { cache: false });
    deferredPages.set(page, loader);
  }
  return loader.load(requirements);
}

const readDocument: Complete<Document> = async ({ fullId }, requirements, { pages }) =>
  ensureFound(await pages.load(fullId, requirements), 'fullId', fullId);

async function readByKey(
  type: Exclude<NodeType, 'Document'>,
  source: Readonly<Record<string, string>>,
  { loaders }: Readers,
): Promise<object> {
  // Objects that were read have other properties than their key.
  if (Object.keys(source).length !== 1) return source;
  const { one, key } = resources[type];
  const id = source[key]!;
  return ensureFound(await loaders[one].load(id), key, id);
}

const completers: Readonly<Record<string, Complete<never>>> = {
  Document: readDocument,
  DocumentConnection: (async (given, requirements, readers) => {
    const page = await readDeferred(given, requirements);
    if (requirements.size === 0) return page;
    const items = page.items.map((item) => readDocument(item as Document, requirements, readers));
    return { ...page, items: await Promise.all(items) };
  }) satisfies Complete<PageSource>,
  DocumentEdge: (async (edge, requirements, readers) =>
    requirements.size === 0
      ? edge
      : {
          ...edge,
          node: await readDocument(edge.node, requirements, readers),
        }) satisfies Complete<{
    readonly node: Document;
  }>,
  RecoData: (async (entry, requirements, { pages }) => {
    if (requirements.size === 0) return entry;
    const below = [...requirements].map((name) => `recoData.${name}` as DocumentRequirement);
    const document = await pages.load(
      entry.documentId,
      new Set<DocumentRequirement>(['recoData', ...below]),
    );
    return ensureFound(
      document?.recoData?.find(({ id }) => id === entry.id) ?? null,
      'id',
      entry.id,
    );
  }) satisfies Complete<RecoData>,
};

function completeSource(
  source: unknown,
  readers: Readers,
  info: GraphQLResolveInfo,
  isKeyOnly: boolean,
): unknown {
  if (isKeyOnly) return source;
  const { name } = info.parentType;
  const complete = completers[name] as Complete<unknown> | undefined;
  if (complete !== undefined) return complete(source, fieldRequirements(info), readers);
  if (isNodeType(name)) {
    return readByKey(
      name as Exclude<NodeType, 'Document'>,
      source as Record<string, string>,
      readers,
    );
  }
  return isPage(source) ? readDeferred(source, fieldRequirements(info)) : source;
}

function isPage(source: unknown): source is PageSource {
  return typeof source === 'object' && source !== null && 'readDeferred' in source;
}

/** The object that was read, which must have the key by which it is known: the DMS also finds objects by other IDs. */
function ensureFound<T extends object>(value: T | null, key: string, id: string): T {
  if (value !== null && (value as Record<string, unknown>)[key] === id) return value;
  throw createGraphQLError('The object with the deferred fields does not exist.', {
    extensions: { code: 'UPSTREAM_ERROR' },
  });
}
