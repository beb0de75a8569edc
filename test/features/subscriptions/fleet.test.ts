import { expect, it, onTestFinished } from 'vitest';
import { startFailingDms } from '../../helpers/failing-dms.ts';
import { describeWithRedis, startRedis } from '../../helpers/redis.ts';
import { subscribe } from '../../helpers/subscriber.ts';
import { startGateway } from '../../../src/startup/start-gateway.ts';

const id = 'aaaaaaaaaaaaaaaaaaaaaaaa';
const watch = `subscription { documentChanged(id: "${id}") { meta { revision } } }`;
const move = `mutation { moveDocument(input: { document: "${id}", action: BLOCK }) { __typename } }`;

describeWithRedis('replicas with REDIS_URL', () => {
  it('share writes', async () => {
    let revision = 1;
    const dms = await startFailingDms((request, response) => {
      if (request.method === 'POST') revision += 1;
      const body = JSON.stringify({ _id: id, _meta: { _rev: revision } });
      request.resume().once('end', () => response.end(body));
    });
    onTestFinished(() => dms[Symbol.asyncDispose]());
    const redis = await startRedis();
    const startReplica = async () => {
      const lines: string[] = [];
      const settings = {
        DMS_URL: dms.url,
        REDIS_URL: redis.url,
        SHARED_SECRET: 'a secret of more than 32 characters, for tests',
        LIVE_POLL_MS: 3_600_000,
        LOG_LEVEL: 'info',
      } as const;
      const gateway = await startGateway(settings, { onLog: (line) => void lines.push(line) });
      onTestFinished(() => gateway.close());
      await expect.poll(() => lines.join('')).toContain('using Redis');
      return {
        fetch: (path: string, init: RequestInit = {}) => fetch(gateway.url + path, init),
      };
    };
    const [one, other] = [await startReplica(), await startReplica()];
    const headers = { authorization: 'Bearer ann' };
    const { results } = await subscribe(other, watch, { headers });
    await expect.poll(() => results).toHaveLength(1);
    // On a busy machine Redis can count as away for a moment, and messages are lost, so the test waits for the final state.
    const writeAndCount = async (): Promise<number> => {
      await one.fetch('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query: move }),
      });
      return results.length;
    };
    await expect.poll(writeAndCount).toBeGreaterThan(1);
  });
});
