import { describe, expect, it } from 'vitest';
import { RateLimiter } from '../../../src/rest/client/limits/rate-limiter.ts';
import { startGateway } from '../../helpers/gateway.ts';
import { allParts, mergeParts, readParts, requestParts } from '../../helpers/result-parts.ts';

const person = (id: string) => `{ person(id: "${id}") { email } }`;
const ann = { authorization: 'Bearer ann' };
const refused = {
  message: 'This user has reached the limit of DMS requests per minute. Try again later.',
  extensions: { code: 'RATE_LIMITED', retryable: true, requestId: expect.any(String) },
};

async function startLimited(callsPerMinute: number) {
  const counts = { rateLimited: 0 };
  const observer = { rateLimited: () => (counts.rateLimited += 1) };
  const gateway = await startGateway({
    http: { rateLimiter: new RateLimiter({ callsPerMinute, observer }) },
    server: {
      identity: { mode: 'passthrough' as const },
      credential: null,
      rateLimit: callsPerMinute,
    },
  });
  gateway.dms.reply('GET', /^\/api\/v2\/person\/[^/]+$/, ({ path }) => ({
    _id_sys: path.split('/').at(-1),
    email: 'a@example.com',
  }));
  return { ...gateway, counts };
}

describe('RATE_LIMIT', () => {
  const deferred =
    '{ person(id: "usr-0") { email } ... @defer { late: person(id: "usr-1") { email } } }';

  /** The answer to a query of a client that accepts parts. */
  async function queryInParts(gateway: Awaited<ReturnType<typeof startLimited>>, query: string) {
    const response = await requestParts(gateway, query, { headers: ann });
    const all = await allParts(readParts(response));
    const errors = all.flatMap((part) => [
      ...(part.errors ?? []),
      ...(part.incremental ?? []).flatMap((each) => each.errors ?? []),
    ]);
    return { status: response.status, headers: response.headers, all, errors };
  }

  it('rejects what is deferred in its own part, and sends nothing for it', async () => {
    const gateway = await startLimited(2);
    await gateway.query(person('usr-9'), {}, ann);
    const { status, headers, all, errors } = await queryInParts(gateway, deferred);
    expect({ status, retryAfter: headers.get('retry-after') }).toEqual({
      status: 200,
      retryAfter: null,
    });
    expect(all[0]).toEqual({ data: { person: { email: 'a@example.com' } }, hasNext: true });
    expect(mergeParts(all).data).toEqual({ person: { email: 'a@example.com' }, late: null });
    expect(errors).toMatchObject([{ ...refused, path: ['late'] }]);
    expect(all.at(-1)?.hasNext).toBe(false);
    expect(gateway.dms.requests).toEqual(['GET /api/v2/person/usr-9', 'GET /api/v2/person/usr-0']);
    expect(gateway.counts.rateLimited).toBe(1);
  });
});
