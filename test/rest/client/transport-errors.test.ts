import { expect, it } from 'vitest';
import { createDms } from '../../../src/rest/dms.ts';
import { RestError } from '../../../src/rest/client/rest-error.ts';
import type { RestErrorCode } from '../../../src/rest/client/rest-error.ts';
import { createHttp } from '../../../src/rest/client/http-client.ts';
import { answering, misbehave, refusingUrl, startFailingDms } from '../../helpers/failing-dms.ts';
import type { Behaviour } from '../../helpers/failing-dms.ts';
import { testCaller, testHttpOptions, testOperation } from '../../helpers/mock-dms.ts';

interface Fault {
  readonly fault: string;
  readonly behave: Behaviour;
  readonly code: RestErrorCode;
  /** Requests that reach the service, with two repetitions allowed. */
  readonly requests: number;
  readonly retryable?: boolean;
  readonly timeoutMs?: number;
}

const away = { code: 'UPSTREAM_UNAVAILABLE', requests: 3, retryable: true } as const;
const unusable = { code: 'UPSTREAM_ERROR', requests: 1 } as const;
const late = { code: 'UPSTREAM_TIMEOUT', requests: 1, retryable: true, timeoutMs: 300 } as const;

const faults: Fault[] = [
  { fault: 'a reset before the answer', behave: misbehave.reset, ...away },
  { fault: 'a reset in the middle of the body', behave: misbehave.resetInBody, ...away },
  { fault: '502', behave: answering(502, '<html>'), ...away },
  { fault: '503', behave: answering(503, ''), ...away },
  { fault: '504', behave: answering(504, ''), ...away },
  { fault: '429', behave: answering(429, ''), ...away },
  {
    fault: '503 with a Retry-After past the deadline',
    behave: answering(503, '', { 'retry-after': '3600' }),
    ...away,
    requests: 1,
  },
  { fault: '500', behave: answering(500, 'at com.vendor.Dms.main(Dms.java:1)'), ...unusable },
  { fault: '501', behave: answering(501, ''), ...unusable },
  {
    fault: 'HTML',
    behave: answering(200, '<html></html>', { 'content-type': 'text/html' }),
    ...unusable,
  },
  { fault: 'truncated JSON', behave: answering(200, '{"_id_sys":"usr-a"'), ...unusable },
  { fault: 'an empty body', behave: answering(200, ''), ...unusable },
  { fault: '204', behave: answering(204, ''), ...unusable },
  { fault: '205', behave: answering(205, ''), ...unusable },
  { fault: '206', behave: answering(206, '{"_id_sys":"usr-ann"}'), ...unusable },
  { fault: 'an array for an object', behave: answering(200, '[]'), ...unusable },
  { fault: 'null for an object', behave: answering(200, 'null'), ...unusable },
  { fault: 'an entity without its id', behave: answering(200, '{"email":"a@b"}'), ...unusable },
  { fault: 'an entity with an empty id', behave: answering(200, '{"_id_sys":""}'), ...unusable },
  { fault: 'a body without end', behave: misbehave.flood, ...unusable },
  {
    fault: 'a length beyond the bound',
    behave: (_request, response) => {
      response.writeHead(200, { 'content-length': '999999999' });
      response.flushHeaders();
    },
    ...unusable,
  },
  { fault: 'something that is not HTTP', behave: misbehave.garbage, ...unusable },
  {
    fault: 'a redirect',
    behave: answering(302, '', { location: 'http://127.0.0.1:1/elsewhere' }),
    ...unusable,
  },
  { fault: '304', behave: answering(304, ''), ...unusable },
  { fault: 'silence', behave: misbehave.silence, ...late },
  { fault: 'a slow drip', behave: misbehave.drip, ...late },
  { fault: '400', behave: answering(400, ''), code: 'BAD_USER_INPUT', requests: 1 },
  { fault: '401', behave: answering(401, ''), code: 'UNAUTHENTICATED', requests: 1 },
  { fault: '403', behave: answering(403, ''), code: 'FORBIDDEN', requests: 1 },
  { fault: '404', behave: answering(404, ''), code: 'NOT_FOUND', requests: 1 },
  { fault: '407', behave: answering(407, ''), ...unusable },
  { fault: '408', behave: answering(408, ''), ...late },
  { fault: '421', behave: answering(421, ''), ...away, requests: 1 },
  { fault: '425', behave: answering(425, ''), ...away, requests: 1 },
  { fault: '409', behave: answering(409, ''), code: 'CONFLICT', requests: 1 },
];

async function readPerson(baseUrl: string, timeoutMs = 10_000): Promise<RestError> {
  const http = createHttp({
    ...testHttpOptions,
    baseUrl,
    retries: 2,
    timeoutMs,
    maxAnswerBytes: 1024 * 1024,
  });
  const dms = createDms(http, testCaller(), testOperation());
  const error: unknown = await dms.persons.get('usr-ann').then(
    () => new Error('it succeeded'),
    (failure: unknown) => failure,
  );
  await http.close();
  if (error instanceof RestError) return error;
  throw error;
}

it.each(faults)(
  'turns $fault into $code',
  async ({ behave, code, requests, retryable = false, timeoutMs }) => {
    await using dms = await startFailingDms(behave);
    const error = await readPerson(dms.url, timeoutMs);
    expect(error).toMatchObject({ code, retryable, request: 'GET /api/v2/person/usr-ann' });
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

it('gives up the connection of an answer that it did not take', async () => {
  await using dms = await startFailingDms(misbehave.flood);
  await readPerson(dms.url);
  await expect.poll(() => dms.openSockets.size).toBe(0);
});

it('says in the log alone what the service said', async () => {
  await using dms = await startFailingDms(answering(400, 'secret', { 'x-error': 'bad\t  id' }));
  const error = await readPerson(dms.url);
  expect(error.message).toBe('BAD_USER_INPUT: GET /api/v2/person/usr-ann; status 400; got bad id');
});
