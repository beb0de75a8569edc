import type { ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { startFailingDms } from '../helpers/failing-dms.ts';
import { startGatewayBefore } from '../helpers/gateway.ts';
import { createDocumentParts, multipart, startUpload } from '../helpers/multipart-request.ts';
import { fakeTimers } from '../helpers/fake-timers.ts';

const person = (id: string) => `{ person(id: "${id}") { email } }`;
const isBusy = { code: 'UPSTREAM_UNAVAILABLE', retryable: true };

/**
 * Starts a gateway with one connection for calls and one for transfers, and a DMS that responds when the test says so.
 */
async function startBusy(maxWaitMs: number) {
  const held: ServerResponse[] = [];
  const dms = await startFailingDms((request, response) => {
    request.resume();
    held.push(response);
  });
  const gateway = await startGatewayBefore(dms.url, {
    http: { connections: 1, transferConnections: 1, maxWaitMs },
    server: { identity: { mode: 'passthrough' }, credential: null },
  });
  await gateway.query('{ __typename }'); // the first operation loads the executor
  const arrive = async (count: number): Promise<void> => {
    await expect.poll(() => dms.requests).toHaveLength(count);
  };
  return {
    gateway,
    dms,
    arrive,
    hold: async () => {
      gateway.query(person('usr-held')).catch(() => {});
      await arrive(1);
    },
    holdTransfer: async () => {
      gateway.fetch('/files/documents/d1/f1').catch(() => {});
      await arrive(1);
    },
    answer: (body: string) => held.shift()?.end(body),
  };
}

describe('a request that gets no connection in time', () => {
  it('returns 503 and Retry-After if every root field is null', async () => {
    const { gateway, hold, dms } = await startBusy(20);
    await hold();
    const list = '{ documents(view: ALL) { nodes { fullId } } }';
    const two = '{ a: person(id: "usr-1") { email } b: person(id: "usr-2") { email } }';
    for (const query of [list, person('usr-late'), two]) {
      const { status, headers, data, errors } = await gateway.query(query);
      expect([status, data ?? null]).toEqual([503, null]);
      expect(headers.get('retry-after')).toBe('5');
      expect(errors![0]).toMatchObject({ extensions: isBusy });
    }
    expect(dms.requests).toHaveLength(1);
  });

  it('returns 200 if one root field has a value', async () => {
    const { gateway, hold } = await startBusy(20);
    await hold();
    const { status, headers, data, errors } = await gateway.query(
      '{ __typename person(id: "usr-late") { email } }',
    );
    expect({ status, data }).toEqual({
      status: 200,
      data: { __typename: 'Query', person: null },
    });
    expect(headers.get('retry-after')).toBeNull();
    expect(errors).toMatchObject([{ path: ['person'], extensions: isBusy }]);
  });

  it('returns 503 and Retry-After for an unsent write', async () => {
    const { gateway, hold, dms } = await startBusy(20);
    await hold();
    const move = 'moveDocument(input: { document: "d1", action: CANCEL }) { __typename }';
    const { status, headers, errors } = await gateway.query(`mutation { ${move} }`);
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('5');
    expect(errors).toMatchObject([{ extensions: isBusy }]);
    expect(dms.requests).toHaveLength(1);
  });

  it('returns 200 if a part of it was written', async () => {
    const { gateway, arrive, answer, dms } = await startBusy(5000);
    fakeTimers('performance', 'setInterval');
    const move = (id: string) =>
      `${id}: moveDocument(input: { document: "${id}", action: CANCEL }) { __typename }`;
    const moved = gateway.query(`mutation { ${move('d1')} ${move('d2')} }`);
    await arrive(1);
    gateway.query(person('usr-next'), {}, { authorization: 'Bearer other' }).catch(() => {});
    const isWaiting = 'gateway_upstream_calls_waiting 1';
    await expect.poll(() => gateway.metrics.text()).toContain(isWaiting);
    answer('{}');
    await arrive(2);
    await expect.poll(() => gateway.metrics.text()).toContain(isWaiting);
    vi.advanceTimersByTime(5500); // checked at intervals of 500 ms
    const { status, headers, errors } = await moved;
    expect(status).toBe(200);
    expect(headers.get('retry-after')).toBeNull();
    expect(errors).toMatchObject([{ path: ['d2'], extensions: isBusy }]);
    expect(dms.requests).toEqual([
      'POST /api/v2/docForm/d1/docResponse',
      'GET /api/v2/person/usr-next',
    ]);
    expect(await gateway.metrics.text()).toContain(
      'gateway_upstream_calls_refused_total{reason="late"} 1',
    );
  });

  it('returns 503 and Retry-After for a file transfer', async () => {
    const { gateway, holdTransfer, dms } = await startBusy(20);
    await holdTransfer();
    const download = await gateway.fetch('/files/documents/d1/f2');
    expect(download.status).toBe(503);
    expect(download.headers.get('retry-after')).toBe('5');
    expect(await download.json()).toMatchObject({ errors: [{ extensions: isBusy }] });

    const { req, response } = startUpload(gateway.url);
    req.end(multipart(createDocumentParts([{ filename: 'a', body: 'x'.repeat(100_000) }])));
    const { status, body } = await response;
    expect(status).toBe(503);
    expect(JSON.parse(body)).toMatchObject({ data: null, errors: [{ extensions: isBusy }] });
    expect(dms.requests).toHaveLength(1);
  });
});
