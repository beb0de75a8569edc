import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import type { GatewayContext, IncrementalExecution } from '../../context.ts';
import type {
  DocumentRequirements,
  DocumentRequirement,
} from '../../model/document-requirements.ts';
import type { Document, RecoData } from '../../model/document.ts';
import { createGraphQLError } from '../graphql-error.ts';
import { fieldRequirements } from '../selection/projection.ts';

/*
 * The first part reads only the properties that it selects. A field of a deferred fragment receives an object with the
 * properties that the field requires: the same object if it has all of them, otherwise one that is read now.
 */

interface Reads {
  readonly pages: IncrementalExecution['pages'];
  readonly loaders: GatewayContext['loaders'];
}

type Complete<T> = (source: T, requirements: DocumentRequirements, reads: Reads) => unknown;

/** A page of a list, as `ItemPage` has it. */
interface PageSource {
  readonly items: readonly unknown[];
  readonly readLate?: (requirements: DocumentRequirements) => Promise<PageSource>;
}

const latePages = new WeakMap<PageSource, DataLoader<DocumentRequirements, PageSource>>();

/** A page with its items, which are read once with all that is required of them in one tick. */
async function readLate(page: PageSource, requirements: DocumentRequirements): Promise<PageSource> {
  const read = page.readLate;
  if (read === undefined) return page;
  let loader = latePages.get(page);
  if (loader === undefined) {
    let reading: Promise<PageSource> | undefined;
    const batch = async (sets: readonly DocumentRequirements[]): Promise<PageSource[]> => {
      reading ??= read(new Set(sets.flatMap((set) => [...set])));
      const late = await reading;
      return sets.map(() => late);
    };
    loader = new DataLoader(batch, { cache: false });
    latePages.set(page, loader);
  }
  return loader.load(requirements);
}

const readDocument: Complete<Document> = async ({ fullId }, requirements, { pages }) =>
  found(await pages.load(fullId, requirements));

/** Reads an object of which only the key is known (`related-objects.ts`, `references.ts`). */
function readByKey<Key extends string>(
  key: Key,
  loaderOf: (loaders: Reads['loaders']) => { load(id: string): Promise<object | null> },
): Complete<Readonly<Record<Key, string>>> {
  return async (source, _requirements, { loaders }) =>
    isKeyAlone(source) ? found(await loaderOf(loaders).load(source[key])) : source;
}

const completers: Readonly<Record<string, Complete<never>>> = {
  Document: readDocument,
  DocumentConnection: (async (given, requirements, reads) => {
    const page = await readLate(given, requirements);
    if (requirements.size === 0) return page;
    const items = page.items.map((item) => readDocument(item as Document, requirements, reads));
    return { ...page, items: await Promise.all(items) };
  }) satisfies Complete<PageSource>,
  DocumentEdge: (async (edge, requirements, reads) =>
    requirements.size === 0
      ? edge
      : { ...edge, node: await readDocument(edge.node, requirements, reads) }) satisfies Complete<{
    readonly node: Document;
  }>,
  RecoData: (async (entry, requirements, { pages }) => {
    if (requirements.size === 0) return entry;
    const below = [...requirements].map((name) => `recoData.${name}` as DocumentRequirement);
    const document = await pages.load(
      entry.documentId,
      new Set<DocumentRequirement>(['recoData', ...below]),
    );
    return found(document?.recoData?.find(({ id }) => id === entry.id));
  }) satisfies Complete<RecoData>,
  OrganizationConnection: readLate satisfies Complete<PageSource>,
  DocumentResponse: readByKey('fullId', ({ documentResponse }) => documentResponse),
  Form: readByKey('fullId', ({ form }) => form),
  ListValue: readByKey('fullId', ({ listValue }) => listValue),
  Organization: readByKey('fullId', ({ organization }) => organization),
  OrgUnit: readByKey('systemId', ({ orgUnit }) => orgUnit),
  Person: readByKey('systemId', ({ person }) => person),
};

/**
 * The source of a deferred field with all that the field requires. Costs no upstream request if that is known.
 *
 * @throws `UPSTREAM_ERROR` if the object does not exist any more
 */
export function completeSource(
  source: unknown,
  reads: Reads,
  info: GraphQLResolveInfo,
  isKeyOnly: boolean,
): unknown {
  const complete = completers[info.parentType.name] as Complete<unknown> | undefined;
  if (complete === undefined || isKeyOnly) return source;
  return complete(source, fieldRequirements(info), reads);
}

/** An object that was made from its key has no other property. */
function isKeyAlone(source: object): boolean {
  return Object.keys(source).length === 1;
}

function found<T>(value: T | null | undefined): T {
  if (value != null) return value;
  throw createGraphQLError('The object was deleted before its deferred fields were read.', {
    extensions: { code: 'UPSTREAM_ERROR' },
  });
}
