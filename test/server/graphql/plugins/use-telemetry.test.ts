import { expect, it } from 'vitest';
import type { Plugin } from 'graphql-yoga';
import { startGateway, type TestGateway } from '../../../helpers/gateway.ts';

const csrf = { 'x-graphql-yoga-csrf': '1' };

/** Samples of `gateway_requests_total` that are not 0. */
async function requestCounts({ metrics }: TestGateway): Promise<string[]> {
  const lines = (await metrics.text()).split('\n');
  return lines.filter((line) => line.startsWith('gateway_requests_total{'));
}

it('records a request that another plugin answers', async () => {
  const answering: Plugin = {
    onRequest: ({ endResponse, fetchAPI }) => endResponse(new fetchAPI.Response('kept')),
  };
  const gateway = await startGateway({ parts: { plugins: [answering] } });
  const response = await gateway.fetch('/graphql?query={viewer{runAs}}', { headers: csrf });
  expect(await response.text()).toBe('kept');
  expect(gateway.log).toMatchObject([{ kind: 'graphql', outcome: 'OK', status: 200 }]);
  expect(await requestCounts(gateway)).toEqual([
    'gateway_requests_total{type="graphql",outcome="OK"} 1',
  ]);
});

it('leaves a request that Yoga never sees to the gateway', async () => {
  const gateway = await startGateway();
  await gateway.fetch('/graphql', { method: 'POST', body: new URLSearchParams({ query: '{a}' }) });
  await gateway.fetch('/files/documents/a');
  expect(gateway.log).toMatchObject([
    { kind: 'graphql', outcome: 'BAD_USER_INPUT', status: 415 },
    { kind: 'file', outcome: 'NOT_FOUND', status: 404 },
  ]);
  for (const line of gateway.log) expect(line).not.toHaveProperty('type');
  expect(await requestCounts(gateway)).toEqual([
    'gateway_requests_total{type="graphql",outcome="BAD_USER_INPUT"} 1',
    'gateway_requests_total{type="file",outcome="NOT_FOUND"} 1',
  ]);
});
