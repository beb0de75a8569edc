import { describe, expect, it } from 'vitest';
import { callerDigest } from '../../../../src/rest/client/caller.ts';
import type { DocumentWrite, WriteNotification } from '../../../../src/rest/client/writes.ts';
import { Dms } from '../../../../src/rest/dms.ts';
import type { HttpClient, HttpClientOptions } from '../../../../src/rest/client/http-client.ts';
import { createMockDms, testCaller, testHttp, testBudget } from '../../../helpers/mock-dms.ts';

const dmsFor = (http: HttpClient): Dms => new Dms(http, testCaller(), testBudget());

/** A REST client that reports its writes. The test acknowledges each report. */
function startNotifying(options: Partial<HttpClientOptions> = {}) {
  const notified: string[] = []; // the resources of each report
  const held = Promise.withResolvers<void>();
  const mock = createMockDms()
    .reply('POST', /person/, { _id_sys: 'usr-ann' })
    .reply('POST', /orgUnit/, '', { status: 500 })
    .reply('PUT', /docForm/, { _id: 'd1' });
  const onWrite = ({ resources }: WriteNotification): Promise<void> => {
    notified.push(resources.join());
    return held.promise;
  };
  const http = testHttp(mock, options);
  http.writes.on(onWrite);
  return {
    dms: dmsFor(http),
    mock,
    notified,
    release: held.resolve,
  };
}

describe('other caches', () => {
  it('are notified before the response of a write', async () => {
    const { dms, notified, release } = startNotifying();
    const order: string[] = [];
    const written = dms.persons
      .update('usr-ann', { firstName: 'A' })
      .then(() => order.push('answered'));
    await expect.poll(() => notified).toEqual(['persons,orgUnits']);
    order.push('released');
    release();
    await written;
    expect(order).toEqual(['released', 'answered']);
    expect(notified).toEqual(['persons,orgUnits']);
  });

  it('are notified of a write whose outcome is unknown', async () => {
    const { dms, notified, release } = startNotifying();
    release();
    await expect(dms.orgUnits.upsert({ name: 'Sales' })).rejects.toThrow('UPSTREAM_ERROR');
    expect(notified).toEqual(['orgUnits,persons']);
  });

  it('are not notified of a write that was rejected', async () => {
    const { dms, mock, notified } = startNotifying();
    mock.reply('POST', /person/, '', { status: 422 });
    expect(await dms.persons.update('usr-ann', {})).toMatchObject({ outcome: 'nothingChanged' });
    expect(notified).toEqual([]);
  });
});

it('data that another process has written is read again without joining pending reads', async () => {
  const mock = createMockDms();
  const released = Promise.withResolvers<void>();
  mock.reply('GET', /person/, async () => {
    const seen = mock.requests.length;
    if (seen === 2) await released.promise;
    return { _id_sys: 'usr-ann', email: `read ${seen}` };
  });
  const http = testHttp(mock, { cacheTtlMs: 60_000 });
  const dms = dmsFor(http);
  const emailNow = async () => (await dms.persons.get('usr-ann')).email;
  expect(await emailNow()).toBe('read 1');
  http.invalidate(['persons']);
  const underWay = emailNow();
  await expect.poll(() => mock.requests.length).toBe(2);
  http.invalidate(['persons']);
  expect(await emailNow()).toBe('read 3');
  released.resolve();
  expect(await underWay).toBe('read 2');
  expect(await emailNow()).toBe('read 3');
  expect(mock.requests).toHaveLength(3);
});

describe('a listener for document writes', () => {
  const startListening = () => {
    const mock = createMockDms()
      .reply('PUT', /docForm/, '')
      .reply('POST', /docForm/, '')
      .reply('POST', /docForm\/form/, { _id: 'd2' }, { status: 201 })
      .reply('POST', /person/, { _id_sys: 'usr-ann' });
    const http = testHttp(mock);
    const others: unknown[] = [];
    const written: DocumentWrite[] = [];
    http.writes.on(({ document }) => void (document && written.push(document)));
    http.writes.on(({ document, isRemote }) => void (isRemote || others.push(document)));
    return { mock, http, dms: dmsFor(http), written, others };
  };
  const caller = callerDigest(testCaller());

  it('is called with the caller and the document of each, and so are others', async () => {
    const { dms, written, others } = startListening();
    const response = { responseId: 'r1', action: 'APPROVE' } as const;
    await dms.documents.respond({ documentId: 'DOC-1', ...response });
    await dms.documents.move({ documentId: 'd1', action: 'BLOCK' });
    await dms.documents.create({ formName: 'f' }, (async function* () {})());
    await dms.persons.update('usr-ann', {});
    expect(written).toEqual(['DOC-1', 'd1', null].map((documentId) => ({ caller, documentId })));
    expect(others).toEqual([...written, null]);
    expect(caller).not.toContain(testCaller().key);
  });

  it('is called with those of another process, which nobody else is told', () => {
    const { http, written, others } = startListening();
    const document = { caller, documentId: 'd1' };
    void http.writes.emit({ resources: ['persons'], document, isRemote: true });
    void http.writes.emit({ resources: ['persons'], document: null, isRemote: true });
    expect(written).toEqual([document]);
    expect(others).toEqual([]);
  });

  it('is called if the outcome is not known, but not if nothing was written', async () => {
    const { dms, mock, written } = startListening();
    mock.reply('POST', /docForm/, '', { status: 422 });
    await dms.documents.move({ documentId: 'd1', action: 'BLOCK' });
    expect(written).toEqual([]);
    mock.reply('POST', /docForm/, '', { status: 504 });
    const moved = dms.documents.move({ documentId: 'd1', action: 'BLOCK' });
    await expect(moved).rejects.toThrow('OUTCOME_UNKNOWN');
    expect(written).toEqual([{ caller, documentId: 'd1' }]);
  });
});
