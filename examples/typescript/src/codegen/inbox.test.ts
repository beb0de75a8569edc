import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mockGateway } from '../mock-gateway.ts';
import { lineOf, readInbox } from './inbox.ts';

const url = 'https://gateway.example/graphql';
const server = setupServer(
  mockGateway(url, {
    DocumentConnection: () => ({
      totalCount: 2,
      nodes: [{ shortId: 'DOC-0001' }, { author: { __typename: 'ServiceAccount' } }],
    }),
    Document: () => ({ shortId: 'DOC-0002', author: { __typename: 'Person' } }),
    Person: () => ({ fullName: 'Ann Keller' }),
  }),
);

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterAll(() => server.close());

test('the inbox has a line for each document', async () => {
  const { totalCount, nodes } = await readInbox(url, 2);

  expect(totalCount).toBe(2);
  expect(nodes.map(lineOf)).toEqual(['DOC-0001: Ann Keller', 'DOC-0002: automatic']);
});
