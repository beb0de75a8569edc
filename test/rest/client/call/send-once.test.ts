import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import type { Dms } from '../../../../src/rest/dms.ts';
import type { RestErrorCode } from '../../../../src/model/error-codes.ts';
import {
  respondWith,
  misbehave,
  refusingUrl,
  startFailingDms,
  wholeBody,
} from '../../../helpers/failing-dms.ts';
import type { Behaviour } from '../../../helpers/failing-dms.ts';
import { dmsAt } from '../../../helpers/mock-dms.ts';
import { fakeTimers } from '../../../helpers/fake-timers.ts';

const id = '64a000000000000000000001';

async function* noFiles() {}

/** Each method of a write, and the upload. */
const writes: readonly [string, (dms: Dms) => Promise<unknown>][] = [
  ['PUT', (dms) => dms.documents.respond({ documentId: id, responseId: id, action: 'APPROVE' })],
  ['POST', (dms) => dms.documents.move({ documentId: id, action: 'DELETE' })],
  ['DELETE', (dms) => dms.organizations.remove(id)],
  ['upsert', (dms) => dms.organizations.upsert({ name: 'Acme' })],
  ['upload', (dms) => dms.documents.create({ formName: 'inv' }, noFiles())],
];

interface Cut {
  readonly cut: string;
  readonly behave: Behaviour;
  readonly code: RestErrorCode;
}

const afterBody = (then: (request: IncomingMessage) => void): Behaviour => {
  return (request) => {
    void wholeBody(request).then(() => then(request));
  };
};

const cuts: readonly Cut[] = [
  { cut: 'before it was read', behave: misbehave.reset, code: 'OUTCOME_UNKNOWN' },
  {
    cut: 'while it is read',
    // A write without a body is complete at once.
    behave: (request) => {
      const cut = () => request.socket.resetAndDestroy();
      request.once('data', cut).once('end', cut);
    },
    code: 'OUTCOME_UNKNOWN',
  },
  {
    cut: 'after it was read',
    behave: afterBody((request) => request.socket.resetAndDestroy()),
    code: 'OUTCOME_UNKNOWN',
  },
  {
    cut: 'by closing after it was read',
    behave: afterBody((request) => request.socket.end()),
    code: 'OUTCOME_UNKNOWN',
  },
  { cut: 'by invalid HTTP', behave: misbehave.garbage, code: 'OUTCOME_UNKNOWN' },
  { cut: 'by a gateway with 502', behave: respondWith(502, ''), code: 'OUTCOME_UNKNOWN' },
  { cut: 'by a gateway with 504', behave: respondWith(504, ''), code: 'OUTCOME_UNKNOWN' },
  { cut: 'by 503', behave: respondWith(503, ''), code: 'UPSTREAM_UNAVAILABLE' },
  { cut: 'by 429', behave: respondWith(429, ''), code: 'UPSTREAM_UNAVAILABLE' },
  { cut: 'by 500', behave: respondWith(500, ''), code: 'UPSTREAM_ERROR' },
  { cut: 'by 401', behave: respondWith(401, ''), code: 'UNAUTHENTICATED' },
  { cut: 'by a redirect', behave: respondWith(307, '', { location: '/' }), code: 'UPSTREAM_ERROR' },
];

describe.each(writes)('a write by %s', (_method, send) => {
  it.each(cuts)('is sent once if it is cut $cut: $code', async ({ behave, code }) => {
    const server = await startFailingDms(behave);
    const dms = dmsAt(server, { http: { retries: 2, timeoutMs: 60_000 } });
    await expect(send(dms)).rejects.toMatchObject({ code });
    expect(server.requests).toHaveLength(1);
  });

  it('is sent once if no response arrives in time', async () => {
    const read = Promise.withResolvers<void>();
    const server = await startFailingDms(afterBody(() => read.resolve()));
    fakeTimers('setTimeout');
    const limits = { http: { retries: 2, timeoutMs: 60_000 }, budget: { timeoutMs: 90_000 } };
    const outcomes = Promise.allSettled([send(dmsAt(server, limits))]);
    await read.promise;
    vi.advanceTimersByTime(60_000);
    expect(await outcomes).toMatchObject([{ reason: { code: 'OUTCOME_UNKNOWN' } }]);
    expect(server.requests).toHaveLength(1);
  });

  it('is sent once on a reused connection that breaks', async () => {
    const server = await startFailingDms((request, response, nth) => {
      if (nth === 1) respondWith(200, '{"_id":"a"}')(request, response, nth);
      else request.socket.resetAndDestroy();
    });
    const dms = dmsAt(server, { http: { connections: 1, retries: 2 } });
    await dms.organizations.get('a');
    await expect(send(dms)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN', retryable: false });
    expect(server.requests).toHaveLength(2);
  });

  it('is not executed if nothing listens', async () => {
    const dms = dmsAt({ url: await refusingUrl() }, { http: { retries: 2 } });
    await expect(send(dms)).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      retryable: true,
    });
  });

  it('is not sent for a disconnected client', async () => {
    const server = await startFailingDms(respondWith(200, '{"_id":"a"}'));
    const dms = dmsAt(server, { budget: { signal: AbortSignal.abort() } });
    await expect(send(dms)).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(server.requests).toEqual([]);
  });
});

describe('a JSON write', () => {
  it('continues after its client disconnects', async () => {
    const client = new AbortController();
    let bodies = 0;
    const server = await startFailingDms((request, response) => {
      client.abort();
      request.resume().on('end', () => {
        bodies += 1;
        response.end('{}');
      });
    });
    const dms = dmsAt(server, { budget: { signal: client.signal } });
    expect(await dms.documents.move({ documentId: id, action: 'CANCEL' })).toEqual({
      outcome: 'done',
      value: undefined,
    });
    expect(bodies).toBe(1);
  });

  it('has an unknown outcome at the deadline, and is the last one', async () => {
    const server = await startFailingDms(misbehave.silence);
    const dms = dmsAt(server, { http: { timeoutMs: 90_000 }, budget: { timeoutMs: 60_000 } });
    fakeTimers('setTimeout'); // performance.now() goes on as usual
    const outcomes = Promise.allSettled([dms.organizations.remove(id)]);
    await vi.waitUntil(() => server.requests.length === 1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await outcomes).toMatchObject([{ reason: { code: 'OUTCOME_UNKNOWN' } }]);
    await expect(dms.organizations.remove(id)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    expect(server.requests).toHaveLength(1);
    vi.useRealTimers();
    for (const socket of server.openSockets) socket.destroy();
  });

  it('succeeds if an unneeded body breaks off', async () => {
    const server = await startFailingDms(misbehave.resetInBody);
    const dms = dmsAt(server);
    expect(await dms.organizations.remove(id)).toMatchObject({ outcome: 'done' });
  });

  it('succeeds when its head has arrived, and its connection is used again after the rest', async () => {
    const held = Promise.withResolvers<ServerResponse>();
    const server = await startFailingDms((request, response) => {
      if (request.method === 'GET') response.end('{"_id":"a"}');
      else {
        response.write('{');
        held.resolve(response);
      }
    });
    const dms = dmsAt(server, { http: { connections: 1 } });
    expect(await dms.organizations.remove(id)).toMatchObject({ outcome: 'done' });
    const read = dms.organizations.get('a');
    (await held.promise).end('}');
    expect(await read).toMatchObject({ fullId: 'a' });
    expect(server.openSockets.size).toBe(1);
  });

  it('loses its connection if the rest of its response does not arrive in time', async () => {
    const server = await startFailingDms((_request, response) => void response.write('{'));
    fakeTimers('setTimeout');
    const dms = dmsAt(server, { http: { timeoutMs: 60_000 }, budget: { timeoutMs: 90_000 } });
    expect(await dms.organizations.remove(id)).toMatchObject({ outcome: 'done' });
    expect(server.openSockets.size).toBe(1);
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    await vi.waitUntil(() => server.openSockets.size === 0);
  });

  it('has an unknown outcome if only an informational response arrives', async () => {
    const server = await startFailingDms((request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' }, () =>
        request.socket.destroy(),
      );
    });
    const dms = dmsAt(server);
    await expect(dms.organizations.remove(id)).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      status: null,
    });
  });

  it('has an unknown outcome if its body breaks off', async () => {
    const server = await startFailingDms(misbehave.resetInBody);
    const dms = dmsAt(server);
    await expect(dms.organizations.upsert({ name: 'A' })).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      status: 200,
    });
  });
});
