import { useDeferStream } from '@graphql-yoga/plugin-defer-stream';
import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import { describe, expect, it } from 'vitest';
import type { Plugin } from 'graphql-yoga';
import { startGateway, type TestGateway } from '../../helpers/gateway.ts';
import {
  createDocumentParts,
  multipart,
  multipartHeaders,
} from '../../helpers/multipart-request.ts';

const csrf = { 'x-graphql-yoga-csrf': '1' };

/** A plugin that records its hooks in order. */
function observer(hooks: readonly ('http' | 'operation')[]) {
  const seen: string[] = [];
  const plugin: Plugin = {
    ...(hooks.includes('http') && {
      onRequest: ({ request }) => void seen.push(`request ${request.method}`),
      onResponse: ({ response }) => void seen.push(`response ${response.status}`),
    }),
    ...(hooks.includes('operation') && {
      onParse:
        () =>
        ({ result }) =>
          void seen.push(result instanceof Error ? 'parse error' : 'parsed'),
      onValidate:
        () =>
        ({ valid }) =>
          void seen.push(valid ? 'valid' : 'invalid'),
      onExecute: ({ args }) => void seen.push(`execute ${args.operationName ?? ''}`),
    }),
  };
  return { plugin, seen };
}

describe.each([[['http', 'operation'] as const], [['operation'] as const]])(
  'a plugin that observes %s',
  (hooks) => {
    const start = async () => {
      const { plugin, seen } = observer(hooks);
      const gateway = await startGateway({ parts: { plugins: [plugin] } });
      const isHttp = (one: string): boolean => /^(request|response)/.test(one);
      return {
        gateway,
        seenSince: () => seen.splice(0),
        /** The hooks of this observer among the given ones. */
        own: (...all: string[]) =>
          hooks.some((one) => one === 'http') ? all : all.filter((one) => !isHttp(one)),
      };
    };

    it('sees a query', async () => {
      const { gateway, seenSince, own } = await start();
      await gateway.query('query Me { viewer { runAs } }');
      expect(seenSince()).toEqual(
        own('request POST', 'parsed', 'valid', 'execute ', 'response 200'),
      );
    });

    it('sees a query by GET', async () => {
      const { gateway, seenSince, own } = await start();
      await gateway.fetch('/graphql?query={viewer{runAs}}', { headers: csrf });
      expect(seenSince()).toEqual(
        own('request GET', 'parsed', 'valid', 'execute ', 'response 200'),
      );
    });

    it('sees a mutation', async () => {
      const { gateway, seenSince, own } = await start();
      await gateway.query(
        'mutation { moveDocument(input: { document: "/", action: BLOCK }) { __typename } }',
      );
      expect(seenSince()).toEqual(
        own('request POST', 'parsed', 'valid', 'execute ', 'response 200'),
      );
    });

    it('sees invalid GraphQL text every time', async () => {
      const { gateway, seenSince, own } = await start();
      for (const _ of [1, 2]) {
        await gateway.query('{');
        expect(seenSince()).toEqual(own('request POST', 'parse error', 'response 200'));
      }
    });

    it('sees an invalid query', async () => {
      const { gateway, seenSince, own } = await start();
      await gateway.query('{ nothing }');
      expect(seenSince()).toEqual(own('request POST', 'parsed', 'invalid', 'response 200'));
    });

    it('sees a rejected request', async () => {
      const { gateway, seenSince, own } = await start();
      await gateway.query('{ viewer { runAs } }', {}, { 'svc-run-as': 'usr-eve' });
      expect(seenSince()).toEqual(own('request POST', 'response 403'));
    });

    it('sees an upload', async () => {
      const { gateway, seenSince, own } = await start();
      gateway.dms.reply('POST', '/api/v2/docForm/form/INV', null, { status: 422 });
      const body = multipart(createDocumentParts([{ filename: 'a.txt', body: 'a' }]));
      const headers = multipartHeaders;
      const response = await gateway.fetch('/graphql', {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
      });
      expect(await response.json()).toMatchObject({
        data: { createDocument: { __typename: 'NothingChangedError' } },
      });
      expect(seenSince()).toEqual(
        own('request POST', 'parsed', 'valid', 'execute ', 'response 200'),
      );
    });
  },
);

describe('usePersistedOperations', () => {
  const start = () =>
    startGateway({
      parts: {
        plugins: [
          usePersistedOperations({
            getPersistedOperation: (hash) => (hash === 'abc' ? '{ viewer { runAs } }' : null),
          }),
        ],
      },
    });
  const ask = async (gateway: TestGateway, body: object) => {
    const response = await gateway.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as object;
  };
  const persisted = (sha256Hash: string) => ({
    extensions: { persistedQuery: { version: 1, sha256Hash } },
  });

  it('runs an operation by its hash', async () => {
    const gateway = await start();
    expect(await ask(gateway, persisted('abc'))).toEqual({ data: { viewer: { runAs: null } } });
  });

  it('rejects unknown hashes and texts', async () => {
    const gateway = await start();
    expect(await ask(gateway, persisted('abd'))).toMatchObject({
      errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_IN_LIST' } }],
    });
    expect(await ask(gateway, { query: '{ viewer { runAs } }' })).toMatchObject({
      errors: [{ extensions: { code: 'CANNOT_SEND_PQ_ID_AND_BODY' } }],
    });
  });
});

describe('useDeferStream', () => {
  const id = '5f0000000000000000000001';
  const document = `{ document(id: "${id}") { fullId ... @defer { recognizedText { text } } } }`;
  const start = async (status = 200) => {
    const gateway = await startGateway({ parts: { plugins: [useDeferStream()] } });
    gateway.dms.reply('GET', new RegExp(`/api/v2/docForm/${id}`), { _id: id });
    gateway.dms.reply('GET', `/api/v2/idp/${id}/text`, 'Dear Sir', {
      status,
      headers: { 'content-type': 'text/plain' },
    });
    return gateway;
  };
  const ask = (gateway: TestGateway, accept: string): Promise<Response> =>
    gateway.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify({ query: document }),
    });
  const dataOf = (text: string): unknown[] =>
    [...text.matchAll(/^(?:data: )?(\{.*\})$/gm)].map(
      ([, json = '']) => JSON.parse(json) as unknown,
    );

  it.each(['multipart/mixed', 'text/event-stream'])('sends the parts as %s', async (accept) => {
    const gateway = await start();
    const response = await ask(gateway, accept);
    expect(response.headers.get('content-type')).toContain(accept);
    const [first, ...more] = dataOf(await response.text());
    expect(first).toMatchObject({ data: { document: { fullId: id } }, hasNext: true });
    expect(more).toMatchObject([
      {
        incremental: [{ path: ['document'], data: { recognizedText: { text: 'Dear Sir' } } }],
      },
      ...(more.length > 1 ? [{ hasNext: false }] : []),
    ]);
  });

  it('masks and logs errors of a part', async () => {
    const gateway = await start(500);
    const parts = dataOf(await (await ask(gateway, 'multipart/mixed')).text());
    expect(JSON.stringify(parts)).toContain('"code":"UPSTREAM_ERROR"');
    expect(JSON.stringify(parts)).not.toContain('/api/v2');
    await expect.poll(() => gateway.log.map(({ msg }) => msg)).toEqual(['failure', 'request']);
    expect(gateway.log[1]).toMatchObject({ outcome: 'UPSTREAM_ERROR', calls: 2 });
  });
});
