import { describe, expect, it } from 'vitest';
import { persistedClient, persistedQuery, sha256 } from '../../helpers/persisted-documents.ts';
import { documentA, passthrough, startLive, startSubscriber } from './live-gateway.ts';

describe('a registered document', () => {
  it('can be a subscription, whose first event registers it', async () => {
    const { gateway } = await startLive({ server: passthrough });
    const { post } = persistedClient(gateway);
    const headers = { authorization: 'Bearer ann' };
    const query = `subscription { documentChanged(id: "${documentA}") { fullId } }`;
    await startSubscriber(gateway, query, {
      headers,
      params: persistedQuery(sha256(query)),
    });
    expect((await post(persistedQuery(sha256(query)), headers)).body).toMatchObject({
      errors: [{ extensions: { code: 'BAD_USER_INPUT' } }], // found, but sent with another Accept header
    });
  });
});
