import type { RequestParameters } from 'relay-runtime';
import { describe, expect, it } from 'vitest';
import {
  persistedClient,
  persistedQuery,
  sha256,
  writeManifest,
} from '../../helpers/persisted-documents.ts';
import { subscribe } from '../../helpers/subscriber.ts';
import * as relay from '../../../examples/clients/subscriptions/relay.ts';
import { documentA, passthrough, startLive } from './live-gateway.ts';

describe('a trusted document', () => {
  it('can be a subscription of Relay', async () => {
    const watch = 'subscription Watch($id: ID!) { documentChanged(id: $id) { fullId } }';
    const { gateway } = await startLive({
      server: { persistedDocuments: writeManifest({ watch }) },
    });
    const params = { id: 'watch', name: 'Watch', text: null } as RequestParameters;
    const events: unknown[] = [];
    const { unsubscribe } = relay
      .connect(`${gateway.url}/graphql`)
      .getNetwork()
      .execute(params, { id: documentA }, {})
      .subscribe({
        next: (event) => events.push(event),
        error: (error: unknown) => events.push(error),
      });
    const data = { documentChanged: { fullId: documentA } };
    await expect.poll(() => events).toEqual([{ data }]);
    unsubscribe();
  });
});

describe('a registered document', () => {
  it('can be a subscription, whose first event registers it', async () => {
    const { gateway } = await startLive({ server: passthrough });
    const { post } = persistedClient(gateway);
    const headers = { authorization: 'Bearer ann' };
    const query = `subscription { documentChanged(id: "${documentA}") { fullId } }`;
    const { results } = await subscribe(gateway, query, {
      headers,
      params: persistedQuery(sha256(query)),
    });
    await expect.poll(() => results).toHaveLength(1);
    expect((await post(persistedQuery(sha256(query)), headers)).body).toMatchObject({
      errors: [{ extensions: { code: 'BAD_USER_INPUT' } }], // found, but sent with another Accept header
    });
  });
});
