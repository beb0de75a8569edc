import { getCallSites } from 'node:util';
import { expect, it } from 'vitest';
import type { Settings } from '../../../src/config/read-config.ts';
import { startGateway, type TestGateway } from '../../helpers/gateway.ts';
import { persistedQuery, sha256 } from '../../helpers/persisted-documents.ts';
import { jwtIdentity } from '../../helpers/jwt.ts';

const id = '5f0000000000000000000001';
const failingId = '5f0000000000000000000002';
const document = (which: string) => `{ document(id: "${which}") { fullId state } }`;
const query = (text: unknown, more: object = {}) => JSON.stringify({ query: text, ...more });
const change = 'mutation { moveDocument(input: { document: "/", action: BLOCK }) { __typename } }';

const requests: readonly (readonly [body: string, headers?: Record<string, string>])[] = [
  [query('{ viewer { runAs } }')],
  [query(document(id))],
  [query(document(failingId))],
  [query('{ documents { totalCount } }')],
  [query(document(id)), { 'svc-run-as': 'usr-eve' }],
  [query(document(id)), { authorization: 'Bearer other' }],
  [query(document(id)), { 'content-encoding': 'gzip' }],
  [query(document(id)), { 'content-type': 'application/json; charset=latin1' }],
  [query(change)],
  [query('subscription { a }')],
  [query('{')],
  [query('')],
  [query(1)],
  [query('{ nothing }')],
  [query('{ ... @defer { __typename } }')],
  [query('query A { __typename } query B { __typename }')],
  [query('{ __typename }', { operationName: 'X' })],
  [query('{ __typename }', { operationName: 1 })],
  [query('{ __typename }', { operationName: '' })],
  [query('query A { __typename } query B { __typename }', { operationName: '' })],
  [query('{ __typename }', { variables: [] })],
  [query('{ __typename }', { extensions: 'x' })],
  [query('{ __typename }', { more: 1 })],
  [query('query ($id: ID!) { document(id: $id) { fullId } }', { variables: { id: 1.5 } })],
  [query('query ($id: ID!) { document(id: $id) { fullId } }')],
  [query(`{ ${Array.from({ length: 60 }, (_, i) => `a${i}: __typename`).join(' ')} }`)],
  [query(`{ ${'__typename '.repeat(3000)} }`)],
  [JSON.stringify(persistedQuery('a'))],
  [JSON.stringify(persistedQuery('a', 2))],
  [query('{ __typename }', persistedQuery(sha256('{ __typename }')))],
  [query('{ __typename }', persistedQuery(sha256('{}')))],
  [JSON.stringify(persistedQuery(sha256('{ __typename }')))],
  [JSON.stringify({ documentId: `sha256:${sha256('{ __typename }')}` })],
  [JSON.stringify({ documentId: 'a' })],
  ['{}'],
  ['null'],
  [`[${query('{ __typename }')}]`],
  [''],
  ['{"query":'],
  [`{"query":"{ __typename }","variables":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`],
  ['x'.repeat(2 ** 20 + 1)],
];

const accepts = ['application/json', 'application/graphql-response+json'];

async function start(
  identity: Settings['identity'],
  plugins: readonly object[],
): Promise<() => Promise<unknown[]>> {
  const gateway = await startGateway({ server: { identity }, parts: { plugins } });
  gateway.dms.reply('GET', new RegExp(`/api/v2/docForm/${id}`), { _id: id });
  gateway.dms.reply('GET', new RegExp(`/api/v2/docForm/${failingId}`), 'secret', { status: 500 });
  return async () => {
    const seen: unknown[] = [];
    for (const accept of accepts) {
      for (const [body, headers] of requests) {
        seen.push(await answerTo(gateway, body, { accept, ...headers }));
      }
    }
    seen.push(gateway.dms.requests);
    const lines = gateway.log.map((line) => ({ ...line, time: 0, ms: 0, waitedMs: 0 }));
    seen.push(lines, countsIn(await gateway.metrics.text()));
    return seen;
  };
}

async function answerTo(gateway: TestGateway, body: string, headers: Record<string, string>) {
  const response = await gateway.post(body, { 'x-request-id': 'r', ...headers });
  const { date: _, ...same } = Object.fromEntries(response.headers);
  return [body.slice(0, 80), headers, response.status, same, await response.text()];
}

/** All metrics except durations. */
function countsIn(metrics: string): string[] {
  return metrics
    .split('\n')
    .filter((line) => line.startsWith('gateway') && !/_(sum|bucket)/.test(line));
}

it.each([
  ['passthrough', { mode: 'passthrough' } as const],
  ['jwt', jwtIdentity],
])('direct execution returns the responses of Yoga, IDENTITY=%s', async (_, identity) => {
  const askDirectly = await start(identity, []);
  const askYoga = await start(identity, [{ onRequest() {} }]);
  const [direct, yoga] = await Promise.all([askDirectly(), askYoga()]);
  expect(direct).toEqual(yoga);
});

it.each([
  ['directly, with plugins that do not see HTTP', {}, true],
  ['by Yoga, with a plugin that sees HTTP', { onRequest() {} }, false],
])('JSON requests are executed %s', async (_, hooks, isDirect) => {
  const callers: string[][] = [];
  const onParams = (): void => {
    callers.push(getCallSites(200).map(({ functionName }) => functionName));
  };
  const gateway = await startGateway({ parts: { plugins: [{ ...hooks, onParams }] } });
  for (const accept of accepts) await answerTo(gateway, query('{ viewer { runAs } }'), { accept });
  const areDirect = callers.map((names) => names.includes('executeDirectly'));
  expect(areDirect).toEqual([isDirect, isDirect]);
});
