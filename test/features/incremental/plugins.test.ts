import { useDeferStream } from '@graphql-yoga/plugin-defer-stream';
import { describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../helpers/gateway.ts';

describe('with useDeferStream of a team', () => {
  const id = '5f0000000000000000000001';
  const document = `{ document(id: "${id}") { fullId ... @defer { recognizedText { text } } } }`;
  const start = async (status = 200) => {
    const gateway = await startGateway({ parts: { plugins: [useDeferStream()] } });
    gateway.dms.reply('GET', new RegExp(`/api/v2/docForm/${id}`), { _id: id });
    gateway.dms.reply('GET', `/api/v2/idp/${id}/text`, 'Dear Sir', {
      status,
      headers: { 'content-type': 'text/plain' },
    });
    return gateway;
  };
  const ask = (gateway: TestGateway, accept: string): Promise<Response> =>
    gateway.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify({ query: document }),
    });
  const dataOf = (text: string): unknown[] =>
    [...text.matchAll(/^(?:data: )?(\{.*\})$/gm)].map(
      ([, json = '']) => JSON.parse(json) as unknown,
    );

  it.each(['multipart/mixed', 'text/event-stream'])('sends the parts as %s', async (accept) => {
    const gateway = await start();
    const response = await ask(gateway, accept);
    expect(response.headers.get('content-type')).toContain(accept);
    const [first, ...more] = dataOf(await response.text());
    expect(first).toMatchObject({ data: { document: { fullId: id } }, hasNext: true });
    expect(more).toMatchObject([
      {
        incremental: [{ path: ['document'], data: { recognizedText: { text: 'Dear Sir' } } }],
      },
      ...(more.length > 1 ? [{ hasNext: false }] : []),
    ]);
  });

  it('masks and logs errors of a part', async () => {
    const gateway = await start(500);
    const parts = dataOf(await (await ask(gateway, 'multipart/mixed')).text());
    expect(JSON.stringify(parts)).toContain('"code":"UPSTREAM_ERROR"');
    expect(JSON.stringify(parts)).not.toContain('/api/v2');
    await expect.poll(() => gateway.log.map(({ msg }) => msg)).toEqual(['failure', 'request']);
    expect(gateway.log[1]).toMatchObject({ outcome: 'UPSTREAM_ERROR', calls: 2 });
  });
});
