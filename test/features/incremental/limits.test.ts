import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import {
  id,
  idOf,
  wireDocument,
  startWithDocuments,
  requestsOf,
  undeferred,
} from '../../helpers/documents-dms.ts';
import {
  allParts,
  mergeParts,
  queryParts,
  readParts,
  requestParts,
} from '../../helpers/result-parts.ts';
import { openConnection, queryBytes } from '../../helpers/raw-connection.ts';
import { fakeTimers } from '../../helpers/fake-timers.ts';

const text = `{ document(id: "${id}") { shortId ... @defer { recognizedText { text } } } }`;

describe('the whole operation', () => {
  it('has one budget of upstream calls', async () => {
    const gateway = await startWithDocuments({ server: { maxUpstreamCalls: 2 } });
    const query = `{ document(id: "${id}") { shortId ... @defer { tags author { ... on Person { fullName } } } } }`;
    const parts = await queryParts(gateway, query);
    expect(gateway.dms.requests).toHaveLength(2);
    expect(mergeParts(parts)).toMatchObject({
      data: { document: { shortId: 'DOC-1', tags: ['a', 'b'], author: null } },
      errors: [{ path: ['document', 'author'], extensions: { code: 'UPSTREAM_BUDGET_EXCEEDED' } }],
    });
  });

  it('is estimated with its later parts before it starts', async () => {
    const gateway = await startWithDocuments({ server: { maxUpstreamCalls: 50 } });
    const query = `{ documents(first: 100) { nodes { id ... @defer { recognizedText { text } } } } }`;
    const [part] = await queryParts(gateway, query);
    expect(part).toMatchObject({
      errors: [{ extensions: { code: 'UPSTREAM_BUDGET_EXCEEDED' } }],
    });
    expect(gateway.dms.requests).toEqual([]);
  });

  it('has one line in the log and is counted once', async () => {
    const gateway = await startWithDocuments();
    await queryParts(gateway, `query Text ${text}`);
    await expect.poll(() => gateway.log.length).toBe(1);
    expect(gateway.log).toMatchObject([
      { msg: 'request', operation: 'Text', outcome: 'OK', calls: 2 },
    ]);
    expect(await gateway.metrics.text()).toContain(
      'gateway_requests_total{type="query",outcome="OK"} 1\n',
    );
  });

  it('has one deadline', async () => {
    const held = Promise.withResolvers<void>();
    const gateway = await startWithDocuments({ server: { requestTimeoutMs: 3000 } });
    gateway.dms.reply('GET', /^\/api\/v2\/idp/, () => held.promise);
    fakeTimers('performance', 'setTimeout');
    const parts = readParts(await requestParts(gateway, text));
    expect((await parts.next()).value).toMatchObject({ data: { document: { shortId: 'DOC-1' } } });
    await expect.poll(() => gateway.dms.requests).toHaveLength(2);
    vi.advanceTimersByTime(3000);
    const later = await allParts(parts);
    held.resolve();
    expect(JSON.stringify(later)).toContain('UPSTREAM_TIMEOUT');
    expect(later.at(-1)).toMatchObject({ hasNext: false });
  });

  it('has one limit of bytes', async () => {
    const gateway = await startWithDocuments({ server: { maxResponseBytes: 2500 } });
    gateway.dms.reply('GET', /^\/api\/v2\/idp/, 'x'.repeat(900));
    const query = `{ document(id: "${id}") { shortId
      ... @defer(label: "a") { a: recognizedText { text } ... @defer(label: "b") { b: recognizedText(page: 1) { text }
      ... @defer(label: "c") { c: recognizedText(page: 2) { text } } } } } }`;
    const parts = await queryParts(gateway, query);
    expect(parts).toMatchObject([
      { hasNext: true },
      { incremental: [{ label: 'a' }] },
      { incremental: [{ label: 'b' }] },
      { errors: [{ message: expect.stringMatching(/MAX_RESPONSE_BYTES/) }], hasNext: false },
    ]);
  });

  it('reads nothing more after a part that is too large', async () => {
    const gateway = await startWithDocuments({ server: { maxResponseBytes: 500 } });
    const held = Promise.withResolvers<string>();
    gateway.dms.reply('GET', `/api/v2/idp/${id}/text`, 'x'.repeat(900));
    gateway.dms.reply('GET', `/api/v2/idp/${id}/text?page=1`, () => held.promise);
    const query = `{ document(id: "${id}") { shortId
      ... @defer(label: "a") { a: recognizedText { text } } ... @defer(label: "b") { b: recognizedText(page: 1) { text }
      ... @defer(label: "c") { c: recognizedText(page: 2) { text } } } } }`;
    const parts = await queryParts(gateway, query);
    expect(parts).toMatchObject([{}, { errors: [{}], hasNext: false }]);
    await expect.poll(() => gateway.log.length).toBe(1);
    await expect
      .poll(async () => await gateway.metrics.text())
      .toContain('gateway_upstream_calls_in_flight 0');
    held.resolve('late');
    expect(requestsOf(gateway)).toEqual([
      'docForm/#1?fields=_id,_id_web',
      'idp/#1/text',
      'idp/#1/text?page=1',
    ]);
  });

  it('is cut for a client that does not read', async () => {
    const gateway = await startWithDocuments({ idleTimeoutMs: 1000 });
    await gateway.load();
    gateway.dms.reply('GET', /^\/api\/v2\/idp/, 'x'.repeat(8 * 2 ** 20));
    const socket = openConnection(gateway.url);
    socket.write(queryBytes(text, 'multipart/mixed'));
    await once(socket, 'readable');
    await expect.poll(() => gateway.log).toMatchObject([{ calls: 2 }]);
    expect(await gateway.metrics.text()).toContain('gateway_requests_in_flight 0');
    socket.destroy();
  });

  it('goes on when a page cannot be read again: each part has the error', async () => {
    const gateway = await startWithDocuments();
    gateway.dms.reply('GET', /view\/all.*_tags/, 'secret', { status: 500 });
    const query = `{ documents { nodes { shortId ... @defer { tags } ... @defer(label: "t") { recognizedText { text } } } } }`;
    const parts = await queryParts(gateway, query);
    const { data, errors } = mergeParts(parts);
    expect(errors.map(({ path, extensions: { code } }) => [path, code])).toEqual(
      [0, 1, 2].map((n) => [['documents', 'nodes', n, 'tags'], 'UPSTREAM_ERROR']),
    );
    expect(data.documents.nodes).toEqual(
      [1, 2, 3].map((n) => ({ shortId: `DOC-${n}`, recognizedText: { text: 'Dear Sir' } })),
    );
    expect(gateway.dms.requests.filter((line) => line.includes('view/all'))).toHaveLength(2);
  });

  it('may have 1000 later parts and not one more', async () => {
    const gateway = await startWithDocuments();
    gateway.dms.reply(
      'GET',
      /^\/api\/v2\/docForm\/view\/all/,
      Array.from({ length: 100 }, (_, n) => wireDocument(idOf(n + 1))),
    );
    const query = (fragments: number): string =>
      `{ documents(first: 100) { nodes { id ${'... @defer { state } '.repeat(fragments)} } } }`;
    const most = await queryParts(gateway, query(10));
    expect(most.flatMap(({ incremental = [] }) => incremental)).toHaveLength(1000);
    const [refused] = await queryParts(gateway, query(11));
    expect(refused).toMatchObject({
      errors: [
        { message: expect.stringContaining('1000'), extensions: { code: 'BAD_USER_INPUT' } },
      ],
    });
  });

  it('may have fragments in each other up to MAX_DEPTH and MAX_DIRECTIVES', async () => {
    const gateway = await startWithDocuments();
    const nested = (levels: number): string =>
      levels === 0 ? 'state' : `a${levels}: tags ... @defer { ${nested(levels - 1)} }`;
    const parts = await queryParts(gateway, `{ document(id: "${id}") { ${nested(40)} } }`);
    const { data, errors } = mergeParts(parts);
    expect(errors).toEqual([]);
    expect(Object.keys(data.document)).toHaveLength(41);
    expect(requestsOf(gateway)).toEqual([
      'docForm/#1?fields=_id,_tags',
      'docForm/#1?fields=_id,state',
    ]);
    const below = (levels: number): string =>
      levels === 0 ? 'id' : `refByDocs(first: 1) { nodes { ... @defer { ${below(levels - 1)} } } }`;
    const deep = mergeParts(await queryParts(gateway, `{ document(id: "${id}") { ${below(5)} } }`));
    const whole = await gateway.query(undeferred(`{ document(id: "${id}") { ${below(5)} } }`));
    expect(deep).toEqual({ data: whole.data, errors: [] });
    const [refused] = await queryParts(gateway, `{ document(id: "${id}") { ${below(6)} } }`);
    expect(refused).toMatchObject({ errors: [{ message: expect.stringContaining('MAX_DEPTH') }] });
  });

  it('is cancelled upstream when the client leaves', async () => {
    const gateway = await startWithDocuments();
    const asked = Promise.withResolvers<void>();
    gateway.dms.reply('GET', /^\/api\/v2\/idp/, () => {
      asked.resolve();
      return new Promise(() => {});
    });
    const leaving = new AbortController();
    const query = `{ document(id: "${id}") { shortId ... @defer(label: "a") { recognizedText { text } ... @defer(label: "b") { response { state } } } } }`;
    const response = await requestParts(gateway, query, { signal: leaving.signal });
    const parts = readParts(response);
    await parts.next();
    await asked.promise;
    leaving.abort();
    await expect.poll(() => gateway.log).toMatchObject([{ outcome: 'CANCELLED', calls: 2 }]);
    expect(requestsOf(gateway)).toEqual(['docForm/#1?fields=_id,_id_web', 'idp/#1/text']);
    expect(await gateway.close(5000)).toBe(true);
  });

  it('is finished at shutdown', async () => {
    const held = Promise.withResolvers<string>();
    const gateway = await startWithDocuments();
    gateway.dms.reply('GET', /^\/api\/v2\/idp/, () => held.promise);
    const parts = readParts(await requestParts(gateway, text));
    await parts.next();
    const closed = gateway.close(5000);
    held.resolve('Dear Sir');
    expect(mergeParts([{ data: { document: {} } }, ...(await allParts(parts))])).toMatchObject({
      data: { document: { recognizedText: { text: 'Dear Sir' } } },
    });
    expect(await closed).toBe(true);
  });

  it('keeps the callers of operations at the same time apart', async () => {
    const gateway = await startWithDocuments({ server: { identity: { mode: 'passthrough' } } });
    gateway.dms.reply('GET', /^\/api\/v2\/idp/, ({ headers }) => `for ${headers['svc-run-as']}`);
    const users = ['usr-ann', 'usr-ben', 'usr-eve'];
    const results = await Promise.all(
      users.map((user) =>
        queryParts(gateway, text, {
          headers: { authorization: `Bearer ${user}`, 'svc-run-as': user },
        }),
      ),
    );
    expect(results.map((parts) => mergeParts(parts).data.document.recognizedText.text)).toEqual(
      users.map((user) => `for ${user}`),
    );
  });
});
