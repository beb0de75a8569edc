import { describe, expect, it } from 'vitest';
import { misbehave, startFailingDms } from '../../helpers/failing-dms.ts';
import { startGateway, startGatewayBefore, startGatewayOnSandbox } from '../../helpers/gateway.ts';
import { createDocumentParts } from '../../helpers/multipart-request.ts';
import { spanNamed, startTracing, treesOf } from './traced-gateway.ts';

describe('files', () => {
  it('are traced on their way up and down, without names or IDs', async () => {
    const { feature, collector, spans } = await startTracing();
    const gateway = await startGatewayOnSandbox({ features: [feature] });
    const file = { filename: 'salary of ann.txt', body: 'content of the file' };
    const { data } = await gateway.upload(createDocumentParts([file]));
    const { document } = data.createDocument;
    const url: string = document.files[0].url;
    expect(await (await fetch(url)).text()).toBe(file.body);

    const all = await spans(6);
    expect(treesOf(all)).toEqual([
      [
        'POST /graphql',
        '  mutation',
        '    POST /api/v2/docForm/form/{formName}',
        '    GET /api/v2/docForm/{id}',
      ].join('\n'),
      ['GET /files/documents/{document}/{file}', '  GET /api/v2/docForm/{id}/file/{fileId}'].join(
        '\n',
      ),
    ]);
    expect(spanNamed(all, 'POST /api/v2/docForm/form/{formName}')).toMatchObject({
      kind: 'CLIENT',
      status: '',
      attributes: { 'http.response.status_code': 201, 'gateway.call': 'documents.create' },
    });
    expect(spanNamed(all, 'GET /files/documents/{document}/{file}')).toMatchObject({
      kind: 'SERVER',
      status: '',
      attributes: {
        'http.route': '/files/documents/{document}/{file}',
        'http.response.status_code': 200,
      },
    });
    const received = collector.payload();
    const fileId = new URL(url).pathname.split('/').at(-1)!;
    const token = new URL(url).searchParams.get('t')!;
    for (const secret of [
      document.fullId,
      fileId,
      token,
      'salary',
      'content of the file',
      'memo',
    ]) {
      expect(received).not.toContain(secret);
    }
  });

  it('have the call open until the last byte, with the error that cut it', async () => {
    const { feature, spans } = await startTracing();
    const dms = await startFailingDms(misbehave.resetInBody);
    const gateway = await startGatewayBefore(dms.url, { features: [feature] });
    const response = await gateway.fetch('/files/documents/d/pdf');
    await expect(response.text()).rejects.toThrow('terminated');
    const all = await spans(2);
    const request = spanNamed(all, 'GET /files/documents/{document}/pdf');
    const call = spanNamed(all, 'GET /api/v2/idp/{id}/pdf');
    expect(call.attributes).toMatchObject({
      'http.response.status_code': 200,
      'error.type': 'UPSTREAM_UNAVAILABLE',
    });
    expect(call.status).toBe('ERROR UPSTREAM_UNAVAILABLE');
    expect(request.status).toBe('ERROR UPSTREAM_UNAVAILABLE');
    expect(all.indexOf(request)).toBeGreaterThan(all.indexOf(call)); // spans arrive in the order of their ends
  });
});

describe('nothing of the client', () => {
  it('is in what the collector receives, apart from the name of the operation', async () => {
    const { feature, collector, spans } = await startTracing();
    const gateway = await startGateway({
      server: { identity: { mode: 'passthrough' }, credential: null },
      features: [feature],
      http: { cacheTtlMs: 60_000, retries: 0 },
    });
    gateway.dms
      .reply('GET', /\/person\//, { _id_sys: 'usr-secret-1', email: 'secret-mail@example.com' })
      .reply('GET', /\/docForm\/view/, [{ _id: 'secret-document', author: 'usr-secret-2' }])
      .reply('PUT', /\/docForm/, 'secret-answer', {
        status: 422,
        headers: { 'x-error': 'secret-reason' },
      });
    const headers = {
      authorization: 'Bearer secret-token',
      'svc-run-as': 'secret-user',
      'x-request-id': 'secret-request',
      'user-agent': 'secret-agent',
      cookie: 'secret-cookie',
      baggage: 'secret-baggage=1',
      'x-forwarded-for': 'secret-address',
    };
    const query = `query Shown($id: ID!) {
      alias_secret: person(id: $id) { email }
      documents(view: INBOX, search: "secret-words", filter: { tags: ["secret-tag"] }) { nodes { author { ... on Person { email } } } }
    }`;
    await gateway.query(query, { id: 'usr-secret-1' }, headers);
    await gateway.query(query, { id: 'usr-secret-1' }, headers);
    await gateway.query('{ secret_field }', {}, headers);
    await gateway.query(
      'mutation { updatePerson(input: { id: "usr-secret-3", firstName: "secret-name" }) { __typename } }',
      {},
      headers,
    );
    await gateway.fetch('/graphql?query={secret}', { headers });
    await gateway.fetch('/files/secret-path', { headers });
    await gateway.fetch('/files/documents/secret-doc/reco-data/secret-entry/secret-file', {
      headers,
    });
    await gateway.fetch('/graphql', { method: 'OPTIONS', headers });
    const requests = 8;
    const operations = 3;
    const all = await spans(requests + operations + gateway.dms.requests.length);
    const ofEntry = 'GET /files/documents/{document}/reco-data/{entry}/{file}';
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(['GET', ofEntry]));
    expect(gateway.dms.requests.length).toBeGreaterThanOrEqual(4);
    const received = collector.payload();
    expect(received).toContain('Shown');
    expect(received).not.toContain('secret');
  });
});
