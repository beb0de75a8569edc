import { expect, it } from 'vitest';
import { Dms } from '../../../../src/rest/dms.ts';
import { HttpClient } from '../../../../src/rest/client/http-client.ts';
import { respondWith, startFailingDms } from '../../../helpers/failing-dms.ts';
import { freePort } from '../../../helpers/free-port.ts';
import { testCaller, testHttpOptions, testBudget } from '../../../helpers/mock-dms.ts';

const answer = respondWith(200, '{"_id_sys":"usr-a"}');

it('recovers when the service returns', async () => {
  const port = await freePort();
  const before = await startFailingDms(answer, port);
  const http = new HttpClient({ ...testHttpOptions, baseUrl: before.url, retries: 2 });
  const ask = (): Promise<unknown> =>
    new Dms(http, testCaller(), testBudget()).persons.get('usr-a');
  await ask();
  await before[Symbol.asyncDispose]();
  const failures = await Promise.allSettled(
    Array.from({ length: 60 }, (_, n) =>
      new Dms(http, testCaller({ key: `user-${n}` }), testBudget()).persons.get('usr-a'),
    ),
  );
  expect(failures.every(({ status }) => status === 'rejected')).toBe(true);
  await using after = await startFailingDms(answer, port);
  await expect.poll(ask).toMatchObject({ systemId: 'usr-a' });
  expect(after.requests.length).toBeGreaterThan(0);
  await http.close();
});
