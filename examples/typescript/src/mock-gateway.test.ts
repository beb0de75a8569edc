import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mockGateway } from './mock-gateway.ts';

const url = 'https://gateway.example/graphql';
const server = setupServer(mockGateway(url));

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterAll(() => server.close());

async function ask(query: string): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return response.json();
}

test('fields without a mock have a value of their type', async () => {
  const query = '{ document(id: "DOC-0001") { dateCreated state files { name } } }';
  expect(await ask(query)).toEqual({
    data: {
      document: {
        dateCreated: '2026-01-31T12:00:00.000Z',
        state: expect.any(Number),
        files: [{ name: expect.any(String) }, { name: expect.any(String) }],
      },
    },
  });
});

test('a field that does not exist is an error', async () => {
  expect(await ask('{ document(id: "DOC-0001") { titel } }')).toMatchObject({
    errors: [{ message: expect.stringContaining('Cannot query field "titel"') }],
  });
});
