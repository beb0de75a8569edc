import { expect, it } from 'vitest';
import { startGateway } from '../../helpers/gateway.ts';
import { queryParts } from '../../helpers/result-parts.ts';
import { spanNamed, startTracing, treesOf } from '../tracing/traced-gateway.ts';

const documentA = 'a'.repeat(24);

it('is one operation until the last part, with an event for each part', async () => {
  const { feature, spans } = await startTracing();
  const gateway = await startGateway({ features: [feature] });
  gateway.dms
    .reply('GET', /\/docForm\/[^/]+$/, { _id: documentA, _web: 'A' })
    .reply('GET', /\/idp\/[^/]+\/text/, 'text');
  const query = `{ document(id: "${documentA}") { shortId ... @defer { recognizedText { text } } } }`;
  expect(await queryParts(gateway, query)).toHaveLength(2);
  const all = await spans(4);
  expect(treesOf(all)).toEqual([
    [
      'POST /graphql',
      '  query',
      '    GET /api/v2/docForm/{id}',
      '    GET /api/v2/idp/{id}/text',
    ].join('\n'),
  ]);
  const { events } = spanNamed(all, 'query');
  expect(events.map(({ name }) => name)).toEqual(['gateway.part.sent', 'gateway.part.sent']);
});
