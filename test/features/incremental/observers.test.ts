import { expect, it } from 'vitest';
import { startGateway } from '../../helpers/gateway.ts';
import { recordRequests } from '../../helpers/recording-observer.ts';
import { queryParts } from '../../helpers/result-parts.ts';

const documentA = 'a'.repeat(24);

it('reports each part to the observer of requests', async () => {
  const { feature, events } = recordRequests();
  const gateway = await startGateway({ features: [feature] });
  gateway.dms
    .reply('GET', /\/docForm\/[^/]+$/, { _id: documentA, _web: 'A' })
    .reply('GET', /\/idp\/[^/]+\/text/, 'text');
  const query = `{ document(id: "${documentA}") { shortId ... @defer { recognizedText { text } } } }`;
  expect(await queryParts(gateway, query)).toHaveLength(2);
  expect(events.filter((event) => event === 'operation: part sent')).toHaveLength(2);
});
