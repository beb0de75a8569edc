import type { ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { GatewayContext } from '../../context.ts';
import {
  noRequirements,
  union,
  withoutResponse,
  type DocumentRequirements,
} from '../../model/document-requirements.ts';
import type { Page, PageRequest } from '../../model/common.ts';
import {
  builder,
  capitalized,
  type ObjectFieldBuilder,
  type OutputField,
  type Types,
} from '../builder.ts';
import type { NodeType } from '../../model/resource.ts';
import type { FieldHints } from '../plan/operation-plan.ts';
import { lazyList } from '../plan/list-fields.ts';
import { documentRequirements, selectsOnly } from '../plan/requirements.ts';
import {
  readPage,
  readWholeList,
  type ItemPage,
  type ListReader,
  type WholeList,
} from './read-page.ts';
import type { List, Window } from './window.ts';
import type { ObjectOf } from '../../model/resource.ts';

export interface Edge<T> {
  readonly node: T;
  readonly cursor: () => string;
}

interface Words {
  readonly one: string;
  readonly many: string;
}

export function defineConnection<T extends NodeType>(
  type: T,
  node: ObjectRef<Types, ObjectOf<T>>,
  { one, many }: Words,
  hints: Pick<FieldHints<never>, 'requiresUnder'> = {},
) {
  const edge = builder.objectRef<Edge<ObjectOf<T>>>(`${type}Edge`).implement({
    description: `${capitalized(one)} of a page, with its cursor.`,
    fields: (t) => ({
      cursor: cursorField(t),
      node: t.expose('node', {
        ...hints,
        type: node,
        description: `The ${one.replace(/^an? /, '')}.`,
      }),
    }),
  });
  return builder.objectRef<ItemPage<ObjectOf<T>>>(`${type}Connection`).implement({
    description: `A page of ${many}.`,
    fields: (t) => ({
      edges: t.field({
        ...hints,
        type: [edge],
        description: `${capitalized(many)} of the page with their cursors. Without Relay, select \`nodes\`.`,
        resolve: edgesOf,
      }),
      nodes: t.field({
        ...hints,
        type: [node],
        description: `${capitalized(many)} of the page.`,
        resolve: ({ items }) => items,
      }),
      pageInfo: pageInfoField(t),
      totalCount: t.exposeInt('totalCount', {
        nullable: true,
        description: `Number of ${many} in the whole list. Null if the DMS does not report it.`,
      }),
    }),
  });
}

export function edgesOf<T>(page: ItemPage<T>): readonly Edge<T>[] {
  const { items, start, end, indexes, cursor } = page;
  const indexOf = (i: number): number => {
    if (i === items.length - 1) return end - 1;
    return i === 0 ? start : (indexes?.[i] ?? start + i);
  };
  return lazyList(items.length, () =>
    items.map((node, i) => ({ node, cursor: () => cursor(indexOf(i)) })),
  );
}

export function cursorField<T>(t: ObjectFieldBuilder<Edge<T>>): OutputField<string> {
  return t.string({
    description: 'Cursor of the item, for `after` and `before`.',
    resolve: ({ cursor }) => cursor(),
  });
}

export function pageInfoField<Shape extends ItemPage<unknown>>(
  t: ObjectFieldBuilder<Shape>,
): OutputField<object> {
  return t.field({
    type: builder.pageInfoRef(),
    description: 'Position of the page within the list.',
    resolve: ({ start, end, hasNextPage, cursor }) => ({
      hasNextPage,
      hasPreviousPage: start > 0,
      startCursor: end > start ? cursor(start) : null,
      endCursor: end > start ? cursor(end - 1) : null,
    }),
  });
}

export interface PagedList<T> extends List {
  read(page: PageRequest, requirements: DocumentRequirements): Promise<Page<T>>;
  prime(
    items: readonly T[],
    requirements: DocumentRequirements,
    readAgain: (requirements: DocumentRequirements) => Promise<Page<T>>,
  ): void;
  keyOf(item: T): string;
  readonly whole?: PagedWholeList<T> | undefined;
}

interface PagedWholeList<T> extends WholeList<T> {
  readonly requires: DocumentRequirements;
  readonly withResponses?: (
    items: readonly T[],
    requirements: DocumentRequirements,
  ) => Promise<readonly T[]>;
}

const totalOnly: ReadonlySet<string> = new Set(['totalCount', '__typename']);

const typenameOnly: ReadonlySet<string> = new Set(['__typename']);

export async function readConnection<T>(
  list: PagedList<T>,
  window: Window,
  { incremental }: GatewayContext,
  info: GraphQLResolveInfo,
): Promise<ItemPage<T>> {
  const readerOf = (requirements: DocumentRequirements): ListReader<T> => ({
    async read(page) {
      const found = await list.read(page, requirements);
      list.prime(found.items, requirements, (wanted) => list.read(page, wanted));
      return found;
    },
    count: async () => (await list.read({ first: 0, pageSize: 1 }, noRequirements)).totalCount,
    keyOf: list.keyOf,
  });
  const readItems = async (requirements: DocumentRequirements): Promise<ItemPage<T>> => {
    const { whole } = list;
    if (whole === undefined) return readPage(window, list, readerOf(requirements));
    // Reading a response makes the DMS create it, so only those of the page are read.
    const reader = readerOf(union(withoutResponse(requirements), whole.requires));
    const page = await readWholeList(window, list, whole, reader);
    if (whole.withResponses === undefined || !requirements.has('response')) return page;
    return { ...page, items: await whole.withResponses(page.items, requirements) };
  };
  const count = async () =>
    list.whole === undefined
      ? readerOf(noRequirements).count()
      : (await readItems(noRequirements)).totalCount;
  if (!selectsOnly(info, totalOnly)) return readItems(documentRequirements(info));
  const isDeferred = incremental !== null && selectsOnly(info, typenameOnly);
  return {
    items: [],
    totalCount: isDeferred ? null : await count(),
    start: 0,
    end: 0,
    hasNextPage: false,
    cursor: String,
    readDeferred: readItems,
  };
}
