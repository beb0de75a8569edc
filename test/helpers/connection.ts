import { expect } from 'vitest';
import type { ResolverOptions } from '../../src/testing/index.ts';
import { idOf } from './ids.ts';
import { createResolvers, type Resolvers } from './resolvers.ts';

type Settings = NonNullable<ResolverOptions['settings']>;

/** What `page` selects of a connection of documents or organizations. */
export interface Connection {
  totalCount: number | null;
  edges: { cursor: string; node: { fullId: string } }[];
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
}

/** Reads a page of a root field, without errors. */
export async function page(
  { run }: Resolvers,
  args: string,
  field = 'documents',
): Promise<Connection> {
  const { data, errors } = await run(`{ ${field}(${args}) {
    totalCount edges { cursor node { fullId } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  } }`);
  expect(errors).toBeUndefined();
  return data![field] as Connection;
}

/** The numbers of the items, with whose hexadecimal forms their IDs end. */
export const numbersOf = ({ edges }: Connection): number[] =>
  edges.map(({ node }) => Number.parseInt(node.fullId.slice(2), 16));

export type ListItem = { readonly _id: string } | null;

export interface ListOptions {
  readonly settings?: Settings;
  /** Whether the DMS says how long the list is. */
  readonly total?: boolean;
  /** Called with each request before its response. It can change the list or wait. */
  readonly before?: (list: ListItem[], first: number) => Promise<void> | void;
}

/**
 * Each view and the organizations as one list, paged by first and pageSize as in the DMS. Items, of which the
 * number is enough, are numbered unless they have an ID. Those that are null are hidden: the DMS leaves them out after it has cut the page.
 */
export function withList(
  items: number | readonly (object | null)[],
  { settings = {}, total = true, before }: ListOptions = {},
): Resolvers {
  const resolvers = createResolvers({ settings });
  const given = typeof items === 'number' ? Array.from({ length: items }, () => ({})) : items;
  const list = given.map((item, i): ListItem => item && { _id: idOf(i), ...item });
  const answer = async ({ path }: { path: string }) => {
    const query = new URL(path, 'http://x').searchParams;
    const first = Number(query.get('first'));
    await before?.(list, first);
    return list.slice(first, first + Number(query.get('pageSize'))).filter((item) => item !== null);
  };
  for (const path of [/^\/api\/v2\/docForm\/view\//, '/api/v2/crm/org']) {
    resolvers.dms.reply('GET', path, answer, {
      // Read after the body is computed.
      get headers(): Record<string, string> {
        return total ? { 'svc-total-count': String(list.length) } : {};
      },
    });
  }
  return resolvers;
}

/** The requested parts of lists: `20+10` begins at 20 and has at most 10 items. */
export const slices = ({ dms }: Resolvers): string[] =>
  dms.requests.map((line) => line.replace(/^.*\?first=(\d+)&pageSize=(\d+).*$/, '$1+$2'));
