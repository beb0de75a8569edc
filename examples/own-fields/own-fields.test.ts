import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { printSchemaOf, startGateway } from 'dms-graphql-gateway';
import { createResolvers, startMockDms } from 'dms-graphql-gateway/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
import config from './gateway.config.ts';
import { createRiskService } from './risk-service.ts';

/** Starts the risk service. Returns how many documents each of its requests has. */
async function startRiskService(): Promise<number[]> {
  const requests: number[] = [];
  const service = createRiskService((documents) => requests.push(documents)).listen(0, '127.0.0.1');
  await once(service, 'listening');
  onTestFinished(() => void service.close());
  const { port } = service.address() as AddressInfo;
  vi.stubEnv('RISK_URL', `http://127.0.0.1:${port}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  return requests;
}

const id = (digit: number): string => `5f000000000000000000000${digit}`;

it('reads a page of documents and their risks with one request each', async () => {
  const risks = await startRiskService();
  const { dms, run } = createResolvers({ config });
  dms.reply('GET', '/api/v2/docForm/view/all', [
    { _id: id(1), author: 'usr-ann', valuesByTags: { total: '1200.50' } },
    { _id: id(2), author: 'api-import', valuesByTags: { total: '10' } },
    { _id: id(3), author: 'usr-ann', valuesByTags: {} },
  ]);
  const { data, errors } = await run(
    '{ documents(first: 3) { nodes { risk { score reasons } } } }',
  );
  expect(errors).toBeUndefined();
  expect(data).toEqual({
    documents: {
      nodes: [
        { risk: { score: 0.6, reasons: ['large total'] } },
        { risk: { score: 0.3, reasons: ['no author'] } },
        { risk: null },
      ],
    },
  });
  expect(dms.requests).toEqual([
    'GET /api/v2/docForm/view/all?first=0&pageSize=3&fields=_id,author,valuesByTags&embed=valuesByTags',
  ]);
  expect(risks).toEqual([3]);
  dms.verify();
});

it('is null if the risk service fails', async () => {
  vi.stubEnv('RISK_URL', 'http://127.0.0.1:9');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { dms, run } = createResolvers({ config });
  dms.reply('GET', '/api/v2/docForm/DOC-1', { _id: id(1), state: 10, valuesByTags: {} });
  const { data, errors } = await run('{ document(id: "DOC-1") { state risk { score } } }');
  expect(data).toEqual({ document: { state: 10, risk: null } });
  expect(errors).toHaveLength(1);
});

it('rejects operations without a name', async () => {
  await using dms = await startMockDms();
  await using gateway = await startGateway({ DMS_URL: dms.url }, { config });
  const ask = async (query: string): Promise<unknown> => {
    const response = await fetch(gateway.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    return response.json();
  };
  expect(await ask('query Type { __typename }')).toEqual({ data: { __typename: 'Query' } });
  expect(await ask('{ __typename }')).toMatchObject({
    errors: [
      { message: 'The operation needs a name.', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
    ],
  });
});

it('has the schema in schema.graphql', async () => {
  const committed = readFileSync(new URL('schema.graphql', import.meta.url), 'utf8');
  expect(await printSchemaOf(config)).toBe(committed);
});
