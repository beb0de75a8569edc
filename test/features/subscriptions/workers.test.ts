import { expect, it } from 'vitest';
import { startFailingDms } from '../../helpers/failing-dms.ts';
import { startWorkers } from '../../helpers/workers.ts';

it('on one worker shows at once what its user writes through another one', async () => {
  const id = 'aaaaaaaaaaaaaaaaaaaaaaaa';
  let revision = 1;
  const dms = await startFailingDms((request, response) => {
    if (request.method === 'POST') revision += 1;
    const body = JSON.stringify({ _id: id, _meta: { _rev: revision } });
    request.resume().once('end', () => response.end(body));
  });
  const { clients } = await startWorkers(2, { DMS_URL: dms.url, LIVE_POLL_MS: '3600000' });
  const [one, two] = clients;
  const eventsOf = (text: string) => text.match(/(?<=^data: ).+$/gm) ?? [];
  const received = await one!.subscribe(
    `subscription { documentChanged(id: "${id}") { meta { revision } } }`,
  );
  await expect.poll(() => eventsOf(received())).toHaveLength(1);
  await two!.query(
    `mutation { moveDocument(input: { document: "${id}", action: BLOCK }) { __typename } }`,
  );
  await expect
    .poll(() => eventsOf(received()).at(-1))
    .toBe('{"data":{"documentChanged":{"meta":{"revision":2}}}}');
  expect(dms.requests.filter((line) => line.startsWith('GET /api'))).toHaveLength(2);
});
