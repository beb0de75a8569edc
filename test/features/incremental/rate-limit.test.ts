import { expect, it } from 'vitest';
import { RateLimiter } from '../../../src/rest/client/limits/rate-limiter.ts';
import { startGateway } from '../../helpers/gateway.ts';
import { mergeParts, queryParts } from '../../helpers/result-parts.ts';

it('RATE_LIMIT rejects what is deferred in its own part, and sends nothing for it', async () => {
  const counts = { rateLimited: 0 };
  const observer = { rateLimited: () => (counts.rateLimited += 1) };
  const gateway = await startGateway({
    http: { rateLimiter: new RateLimiter({ callsPerMinute: 2, observer }) },
    server: { rateLimit: 2 },
  });
  const ann = { _id_sys: 'usr-ann', email: 'a@example.com' };
  gateway.dms.reply('GET', '/api/v2/person/usr-ann', ann);
  await gateway.query('{ person(id: "usr-ann") { email } }');
  const parts = await queryParts(
    gateway,
    '{ person(id: "usr-ann") { email } ... @defer { late: person(id: "usr-bob") { email } } }',
  );
  expect(parts[0]).toEqual({ data: { person: { email: ann.email } }, hasNext: true });
  const { data, errors } = mergeParts(parts);
  expect(data).toEqual({ person: { email: ann.email }, late: null });
  expect(errors).toMatchObject([
    { path: ['late'], extensions: { code: 'RATE_LIMITED', retryable: true } },
  ]);
  expect(gateway.dms.requests).toEqual([1, 2].map(() => 'GET /api/v2/person/usr-ann'));
  expect(counts.rateLimited).toBe(1);
});
