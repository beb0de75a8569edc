import { expect, it } from 'vitest';
import { startGateway, type TestGatewayOptions } from '../../helpers/gateway.ts';
import { persistedClient, persistedQuery, sha256 } from '../../helpers/persisted-documents.ts';

const id = '5f0000000000000000000001';
const deferred = `{ document(id: "${id}") { shortId ... @defer(label: "text") { recognizedText { text } } } }`;

async function start(server: NonNullable<TestGatewayOptions['server']>) {
  const gateway = await startGateway({ server });
  gateway.dms.reply('GET', /docForm/, { _id: id, _id_web: 'DOC-1' });
  gateway.dms.reply('GET', /text$/, 'Dear Sir', { headers: { 'content-type': 'text/plain' } });
  return gateway;
}

it('registers a persisted document by a result in parts', async () => {
  const server = { identity: { mode: 'passthrough' as const }, credential: null };
  const gateway = await start(server);
  const { post } = persistedClient(gateway);
  const headers = { authorization: 'Bearer ann' };
  const params = persistedQuery(sha256(deferred));
  const accept = 'multipart/mixed';
  const response = await gateway.post({ query: deferred, ...params }, { accept, ...headers });
  expect(await response.text()).toContain('Dear Sir');
  expect((await post(params, headers)).body).toMatchObject({
    errors: [{ extensions: { code: 'BAD_USER_INPUT' } }], // found, but sent with another Accept header
  });
});
