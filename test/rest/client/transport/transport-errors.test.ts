import { expect, it } from 'vitest';
import { RestError } from '../../../../src/rest/client/rest-error.ts';
import type { RestErrorCode } from '../../../../src/model/error-codes.ts';
import {
  respondWith,
  misbehave,
  refusingUrl,
  startFailingDms,
} from '../../../helpers/failing-dms.ts';
import type { Behaviour } from '../../../helpers/failing-dms.ts';
import { fakeTimers, whileTimePasses } from '../../../helpers/fake-timers.ts';
import { dmsAt } from '../../../helpers/mock-dms.ts';

interface FailureCase {
  readonly failure: string;
  readonly behave: Behaviour;
  readonly code: RestErrorCode;
  /** Requests that reach the service, with two retries allowed. */
  readonly requests: number;
  readonly retryable?: boolean;
}

const away = { code: 'UPSTREAM_UNAVAILABLE', requests: 3, retryable: true } as const;
const unusable = { code: 'UPSTREAM_ERROR', requests: 1 } as const;
const late = { code: 'UPSTREAM_TIMEOUT', requests: 1, retryable: true } as const;

const cases: readonly FailureCase[] = [
  { failure: 'a reset before the answer', behave: misbehave.reset, ...away },
  { failure: 'a reset in the middle of the body', behave: misbehave.resetInBody, ...away },
  { failure: '502', behave: respondWith(502, '<html>'), ...away },
  { failure: '503', behave: respondWith(503, ''), ...away },
  { failure: '504', behave: respondWith(504, ''), ...away },
  { failure: '429', behave: respondWith(429, ''), ...away, requests: 1 },
  {
    failure: '429 with Retry-After',
    behave: respondWith(429, '', { 'retry-after': '0' }),
    ...away,
  },
  {
    failure: '429 with two equal lines of Retry-After',
    behave: (_request, response) =>
      void response.writeHead(429, ['retry-after', '0', 'retry-after', '0']).end(),
    ...away,
  },
  {
    failure: '429 with a Retry-After in the past',
    behave: respondWith(429, '', { 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }),
    ...away,
  },
  ...['1.5', '-1', '0, 1', '2026-01-01', ''].map((value) => ({
    failure: `429 with the invalid Retry-After ${JSON.stringify(value)}`,
    behave: respondWith(429, '', { 'retry-after': value }),
    ...away,
    requests: 1,
  })),
  {
    failure: '429 with two different lines of Retry-After',
    behave: (_request, response) =>
      void response.writeHead(429, ['retry-after', '0', 'retry-after', '1']).end(),
    ...away,
    requests: 1,
  },
  {
    failure: '503 with a Retry-After past the deadline',
    behave: respondWith(503, '', { 'retry-after': '3600' }),
    ...away,
    requests: 1,
  },
  { failure: '500', behave: respondWith(500, 'at com.vendor.Dms.main(Dms.java:1)'), ...unusable },
  {
    failure: 'HTML',
    behave: respondWith(200, '<html></html>', { 'content-type': 'text/html' }),
    ...unusable,
  },
  { failure: 'truncated JSON', behave: respondWith(200, '{"_id_sys":"usr-a"'), ...unusable },
  { failure: 'an empty body', behave: respondWith(200, ''), ...unusable },
  { failure: '204', behave: respondWith(204, ''), ...unusable },
  { failure: '206', behave: respondWith(206, '{"_id_sys":"usr-ann"}'), ...unusable },
  { failure: 'a body without end', behave: misbehave.flood, ...unusable },
  {
    failure: 'a length beyond the bound',
    behave: (_request, response) => {
      response.writeHead(200, { 'content-length': '999999999' });
      response.flushHeaders();
    },
    ...unusable,
  },
  { failure: 'something that is not HTTP', behave: misbehave.garbage, ...unusable },
  {
    failure: 'a redirect',
    behave: respondWith(302, '', { location: 'http://127.0.0.1:1/elsewhere' }),
    ...unusable,
  },
  { failure: '304', behave: respondWith(304, ''), ...unusable },
  { failure: 'silence', behave: misbehave.silence, ...late },
  { failure: 'a slow drip', behave: misbehave.drip, ...late },
  { failure: '400', behave: respondWith(400, ''), code: 'BAD_USER_INPUT', requests: 1 },
  ...['No required SSL certificate was sent', 'The SSL certificate error'].map((title) => ({
    failure: `400 with a page of nginx: ${title}`,
    behave: respondWith(400, `<html><head><title>400 ${title}</title></head></html>`, {
      'content-type': 'text/html',
    }),
    ...away,
    requests: 1,
  })),
  {
    failure: '400 with such a text that is no page',
    behave: respondWith(400, '"The SSL certificate error"', { 'content-type': 'text/plain' }),
    code: 'BAD_USER_INPUT',
    requests: 1,
  },
  { failure: '401', behave: respondWith(401, ''), code: 'UNAUTHENTICATED', requests: 1 },
  { failure: '403', behave: respondWith(403, ''), code: 'FORBIDDEN', requests: 1 },
  { failure: '404', behave: respondWith(404, ''), code: 'NOT_FOUND', requests: 1 },
  {
    failure: '404 whose body breaks off',
    behave: (request, response) => {
      response.writeHead(404, { 'content-length': '1000' });
      response.write('not', () => request.socket.resetAndDestroy());
    },
    code: 'NOT_FOUND',
    requests: 1,
  },
  {
    failure: 'headers beyond the bound',
    behave: respondWith(200, '{"_id_sys":"usr-ann"}', { 'x-long': 'x'.repeat(20_000) }),
    ...unusable,
  },
  { failure: '407', behave: respondWith(407, ''), ...unusable },
  { failure: '408', behave: respondWith(408, ''), ...late },
  { failure: '421', behave: respondWith(421, ''), ...away, requests: 1 },
  { failure: '409', behave: respondWith(409, ''), code: 'CONFLICT', requests: 1 },
];

async function readPerson(baseUrl: string, timeoutMs = 60_000): Promise<RestError> {
  const dms = dmsAt(
    { url: baseUrl },
    { http: { retries: 2, timeoutMs, dmsMaxResponseBytes: 1024 * 1024 } },
  );
  const error: unknown = await dms.persons.get('usr-ann').then(
    () => new Error('it succeeded'),
    (failure: unknown) => failure,
  );
  if (error instanceof RestError) return error;
  throw error;
}

it.each(cases)(
  'turns $failure into $code',
  async ({ behave, code, requests, retryable = false }) => {
    const isLate = code === 'UPSTREAM_TIMEOUT';
    if (isLate) fakeTimers('performance', 'setTimeout');
    const dms = await startFailingDms(behave);
    const failed = readPerson(dms.url, isLate ? 1000 : undefined);
    if (isLate) {
      await expect.poll(() => dms.requests).toHaveLength(1);
      await whileTimePasses(failed);
    }
    expect(await failed).toMatchObject({ code, retryable, request: 'GET /api/v2/person/usr-ann' });
    expect(dms.requests).toHaveLength(requests);
  },
);

it('turns a refused connection into UPSTREAM_UNAVAILABLE', async () => {
  expect(await readPerson(await refusingUrl())).toMatchObject({
    code: 'UPSTREAM_UNAVAILABLE',
    retryable: true,
    status: null,
  });
});

it.each([200, 500])('closes the connection of an unread response with %i', async (status) => {
  const dms = await startFailingDms((_request, response) => {
    response.writeHead(status).write(Buffer.alloc(2000));
  });
  const { persons } = dmsAt(dms, { http: { dmsMaxResponseBytes: 1024 } });
  await expect(persons.get('usr-ann')).rejects.toMatchObject({ code: 'UPSTREAM_ERROR', status });
  await expect.poll(() => dms.openSockets.size).toBe(0);
});

it('accepts a response of the maximum length', async () => {
  const body = '{"_id_sys":"usr-ann"}';
  const dms = await startFailingDms(
    respondWith(200, body, { 'content-length': String(body.length) }),
  );
  const { persons } = dmsAt(dms, { http: { dmsMaxResponseBytes: body.length } });
  expect(await persons.get('usr-ann')).toMatchObject({ systemId: 'usr-ann' });
});

it('shows the response of the service in the log only', async () => {
  const dms = await startFailingDms(respondWith(400, 'secret', { 'x-error': 'bad\t  id' }));
  const error = await readPerson(dms.url);
  expect(error.message).toBe('BAD_USER_INPUT: GET /api/v2/person/usr-ann; status 400; got bad id');
});
