import { expect } from 'vitest';
import type { Resolvers } from './resolvers.ts';

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
