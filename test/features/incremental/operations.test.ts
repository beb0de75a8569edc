import { describe, expect, it } from 'vitest';
import { startGateway } from '../../helpers/gateway.ts';
import { queryParts } from '../../helpers/result-parts.ts';

const id = '5f0000000000000000000001';
const deferred = `{ document(id: "${id}") { shortId ... @defer { recognizedText { text } } } }`;
const accept = 'multipart/mixed, application/json';

async function start(options: Parameters<typeof startGateway>[0] = {}) {
  const gateway = await startGateway(options);
  gateway.dms.reply('GET', /docForm/, { _id: id, _id_web: 'DOC-1' });
  gateway.dms.reply('GET', /text$/, 'Dear Sir', { headers: { 'content-type': 'text/plain' } });
  return gateway;
}

describe('x-cost-only', () => {
  const costOnly = { 'x-cost-only': '1' };

  it('reports as many calls as all parts make', async () => {
    const gateway = await start();
    const { extensions } = await gateway.query(deferred, {}, { ...costOnly, accept });
    expect(extensions).toEqual({ cost: { atLeast: 1, upstreamCalls: 2 } });
    expect(gateway.dms.requests).toEqual([]);
    await queryParts(gateway, deferred);
    expect(gateway.dms.requests).toHaveLength(2);
  });

  it('is rejected as the operation is', async () => {
    const gateway = await start();
    const real = await gateway.query(deferred);
    const asked = await gateway.query(deferred, {}, costOnly);
    const message = expect.stringContaining('multipart/mixed');
    const rejected = { status: 406, errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }] };
    expect([real, asked]).toMatchObject([rejected, rejected]);
    expect(gateway.dms.requests).toEqual([]);
  });
});
