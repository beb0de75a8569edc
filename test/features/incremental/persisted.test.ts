import { expect, it } from 'vitest';
import { startGateway } from '../../helpers/gateway.ts';
import { persistedQuery, sha256 } from '../../helpers/persisted-documents.ts';

it('registers a persisted document by a result in parts', async () => {
  const id = '5f0000000000000000000001';
  const query = `{ document(id: "${id}") { shortId ... @defer { recognizedText { text } } } }`;
  const gateway = await startGateway({
    server: { identity: { mode: 'passthrough' }, credential: null },
  });
  gateway.dms.reply('GET', /docForm/, { _id: id, _id_web: 'DOC-1' });
  gateway.dms.reply('GET', /text$/, 'Dear Sir', { headers: { 'content-type': 'text/plain' } });
  const headers = { accept: 'multipart/mixed', authorization: 'Bearer ann' };
  for (const params of [{ query }, {}]) {
    const response = await gateway.post({ ...params, ...persistedQuery(sha256(query)) }, headers);
    expect(await response.text()).toContain('Dear Sir');
  }
});
