import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { joinEndpoints, type Endpoint } from '../../../src/server/http/endpoint-table.ts';

const endpoint = (part: Partial<Endpoint> = {}): Endpoint => ({ answer() {}, ...part });
const requestOf = (method: string) => ({ method }) as IncomingMessage;
const get = requestOf('GET');

it('finds the endpoint of a path, or of the folder above it', () => {
  const [file, page] = [endpoint(), endpoint()];
  const find = joinEndpoints([{ '/files/*': file, '/files/new': page }]);
  expect(find('/files/new', get)).toBe(page);
  expect(find('/files/new/1', get)).toBe(file);
  expect(find('/files/', get)).toBe(file);
  expect(find('/files', get)).toBeUndefined();
  expect(find('/files/*', get)).toBe(file);
  expect(find('__proto__', get)).toBeUndefined();
});

it('passes requests that an endpoint does not match to the next', () => {
  const page = endpoint({ matches: ({ method }) => method === 'GET' });
  const next = endpoint();
  const find = joinEndpoints([{ '/graphql': page }, { '/graphql': next }]);
  expect(find('/graphql', get)).toBe(page);
  expect(find('/graphql', requestOf('POST'))).toBe(next);
  expect(joinEndpoints([{ '/*': page }])('/x', requestOf('POST'))).toBeUndefined();
});
