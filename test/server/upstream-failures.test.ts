import { expect, it } from 'vitest';
import { respondWith, misbehave, startFailingDms, type Behaviour } from '../helpers/failing-dms.ts';
import { fakeTimers, whileTimePasses } from '../helpers/fake-timers.ts';
import { startGateway, startGatewayBefore, type TestGatewayOptions } from '../helpers/gateway.ts';

interface FailureCase {
  readonly failure: string;
  readonly behave: Behaviour;
  /** The extensions that the client receives besides the request ID. */
  readonly extensions: {
    readonly code: string;
    readonly status?: number;
    readonly retryable: boolean;
  };
  /** Requests for the failing object, with two retries allowed. */
  readonly requests: number;
  readonly options?: TestGatewayOptions;
}

const query = `{
  viewer { runAs }
  good: person(id: "usr-good") { email }
  bad: person(id: "usr-bad") { email deputy { enabled } }
}`;
const good = respondWith(200, '{"_id_sys":"usr-good","email":"good@example.com"}');
const forEver = 60_000;

const away = {
  extensions: { code: 'UPSTREAM_UNAVAILABLE', status: 503, retryable: true },
  requests: 3,
};
const cases: readonly FailureCase[] = [
  { failure: '503', behave: respondWith(503, ''), ...away },
  {
    failure: 'silence until the deadline of the operation',
    behave: misbehave.silence,
    extensions: { code: 'UPSTREAM_TIMEOUT', retryable: true },
    requests: 1,
    options: { http: { timeoutMs: forEver }, server: { requestTimeoutMs: 1000 } },
  },
  {
    failure: 'a failure that is repeated until the deadline of the operation',
    behave: respondWith(503, '', { 'retry-after': '60' }),
    ...away,
    requests: 1,
    options: { server: { requestTimeoutMs: 30_000 } },
  },
];

it.each(cases)(
  'returns partial data after $failure',
  async ({ behave, extensions, requests, options }) => {
    const dms = await startFailingDms((request, response, nth) =>
      (request.url?.endsWith('/usr-bad') ? behave : good)(request, response, nth),
    );
    const isLate = extensions.code === 'UPSTREAM_TIMEOUT';
    if (isLate) fakeTimers('performance', 'setTimeout');
    const gateway = await startGatewayBefore(dms.url, {
      ...options,
      http: { retries: 2, dmsMaxResponseBytes: 2 ** 20, ...options?.http },
    });
    await gateway.load();
    const response = gateway.query(query, {}, { 'x-request-id': 'r-1' });
    if (isLate) {
      await expect.poll(() => dms.requests).toHaveLength(2);
      await whileTimePasses(response);
    }
    const { status, data, errors } = await response;
    expect(status).toBe(200);
    expect(data).toEqual({
      viewer: { runAs: null },
      good: { email: 'good@example.com' },
      bad: null,
    });
    expect(errors).toEqual([
      {
        message: expect.stringMatching(/^The DMS /),
        locations: expect.anything(),
        path: ['bad'],
        extensions: { ...extensions, requestId: 'r-1' },
      },
    ]);
    expect(dms.requests.filter((line) => line.endsWith('/usr-bad'))).toHaveLength(requests);
    expect(dms.requests.filter((line) => line.endsWith('/usr-good'))).toHaveLength(1);
    // All resources are released, and the next request succeeds.
    expect(await gateway.metrics.text()).toMatch(/^gateway_upstream_calls_in_flight 0$/m);
    expect((await gateway.query('{ person(id: "usr-good") { email } }')).data).toEqual({
      person: { email: 'good@example.com' },
    });
  },
);

it('reads nothing more once an error has ended the result', async () => {
  const gateway = await startGateway();
  const person = Promise.withResolvers<string>();
  gateway.dms
    .reply('GET', /view/, '', { status: 403 })
    .reply('GET', /person/, () => person.promise);
  const { data, errors } = await gateway.query(
    '{ documents { nodes { id } } person(id: "usr-ann") { email } }',
  );
  expect(data).toBeNull();
  expect(errors).toMatchObject([{ path: ['documents'], extensions: { code: 'FORBIDDEN' } }]);
  await expect
    .poll(() => gateway.metrics.text())
    .toMatch(/^gateway_upstream_calls_total\{.*person.*CANCELLED"\} 1$/m);
  person.resolve('');
});
