import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import { describe, expect, it } from 'vitest';
import type { Plugin } from 'graphql-yoga';
import { startGateway, type TestGateway } from '../../helpers/gateway.ts';
import { createDocumentParts } from '../../helpers/multipart-request.ts';

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

    it('sees an invalid query', async () => {
      const { gateway, seenSince, own } = await start();
      await gateway.query('{ nothing }');
      expect(seenSince()).toEqual(own('request POST', 'parsed', 'invalid', 'response 200'));
    });

    it('sees an upload', async () => {
      const { gateway, seenSince, own } = await start();
      gateway.dms.reply('POST', '/api/v2/docForm/form/memo', null, { status: 422 });
      const { data } = await gateway.upload(
        createDocumentParts([{ filename: 'a.txt', body: 'a' }]),
      );
      expect(data.createDocument.__typename).toBe('NothingChangedError');
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
  const ask = async (gateway: TestGateway, body: object): Promise<unknown> =>
    (await gateway.post(body)).json();
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
