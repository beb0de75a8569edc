import { hash } from 'node:crypto';
import { useDeferStream } from '@graphql-yoga/plugin-defer-stream';
import { describe, expect, it } from 'vitest';
import { startGateway, type TestGatewayOptions } from '../../helpers/gateway.ts';
import { persistedClient, sha256, writeManifest } from '../../helpers/persisted-documents.ts';
import { addressOf, spawnGateway } from '../../helpers/process.ts';
import { createGraphQLError } from '../../../src/schema/graphql-error.ts';
import { readConfig } from '../../../src/features/settings.ts';

const me = 'query Me { viewer { runAs } }\n';
const answer = { data: { viewer: { runAs: null } } };
const apollo = (...operations: unknown[]) => ({
  format: 'apollo-persisted-query-manifest',
  version: 1,
  operations,
});

/** Starts a gateway with a manifest, and executes the document with this ID. */
async function execute(content: unknown, documentId: string) {
  const persistedDocuments = writeManifest(content);
  const gateway = await startGateway({ server: { persistedDocuments } });
  return (await persistedClient(gateway).post({ documentId })).body;
}

/** The error of the start. Null if it succeeds. */
async function failure(
  content: unknown,
  server: TestGatewayOptions['server'] = {},
  parts: TestGatewayOptions['parts'] = {},
): Promise<string | null> {
  const persistedDocuments = writeManifest(content);
  const starting = startGateway({ server: { persistedDocuments, ...server }, parts });
  const message = await starting
    .then((gateway) => gateway.load())
    .then(
      () => null,
      (error: Error) => error.message,
    );
  return message?.replace(persistedDocuments, 'FILE') ?? null;
}

describe('a manifest', () => {
  it.each([
    ['Relay Compiler', { [hash('md5', me)]: me }, hash('md5', me)],
    ['GraphQL Code Generator', { [`sha256:${sha256(me)}`]: me }, `sha256:${sha256(me)}`],
    ['older versions of it', { [hash('sha1', me)]: me }, hash('sha1', me)],
    ['Apollo', apollo({ id: sha256(me), name: 'Me', type: 'query', body: me }), sha256(me)],
    ['Apollo, with other IDs', apollo({ id: 'Me', body: me }), 'Me'],
    ['somebody, with IDs in upper case', { [sha256(me).toUpperCase()]: me }, sha256(me)],
  ])('can have the format of %s', async (_, content, id) => {
    expect(await execute(content, id)).toEqual(answer);
  });

  it('can have a byte order mark and escapes', async () => {
    const text = '{ viewer { runAs } } # "quoted" \\ \u2028 ü 𝄞';
    const content = `\ufeff${JSON.stringify({ 'a"b\\': text })}`;
    expect(await execute(content, 'a"b\\')).toEqual(answer);
  });

  it.each([
    ['is not JSON', '{', 'is not JSON.'],
    ['is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'is not UTF-8.'],
    ['is a list', '[]', 'is not a JSON object.'],
    ['has no documents', {}, 'has no documents.'],
    ['has no operations', apollo(), 'has no documents.'],
    [
      'has another version',
      { ...apollo({ id: 'Me', body: me }), version: 2 },
      'has operations, but not the format apollo-persisted-query-manifest, version 1.',
    ],
  ])('that %s prevents the start', async (_, content, message) => {
    expect(await failure(content)).toBe(`PERSISTED_DOCUMENTS: FILE ${message}`);
  });

  const wrongHash = 'f'.repeat(64);
  it.each([
    ['a text that is not GraphQL', { a: '{' }, '"a": Syntax Error: Expected Name, found <EOF>.'],
    [
      'a text that does not fit the schema',
      { a: '{ nothing }' },
      '"a": Cannot query field "nothing" on type "Query".',
    ],
    [
      'fragments only',
      { a: 'fragment A on Query { __typename }' },
      '"a": Fragment "A" is never used.',
    ],
    [
      'a text that is too large',
      { a: `{ ${'__typename '.repeat(3000)} }` },
      '"a": The query document has too many tokens; MAX_TOKENS allows 2000.',
    ],
    ['a text that is no string', { a: 1 }, '"a": The document must be a string.'],
    ['an empty ID', { '': me }, '"": The ID is empty.'],
    [
      'a SHA-256 hash of another text',
      { [wrongHash]: me },
      `"${wrongHash}": The ID is not the SHA-256 hash of the document.`,
    ],
    [
      'a prefix without a hash',
      { 'sha256:a': me },
      '"sha256:a": After the prefix sha256: there must be 64 hexadecimal digits in lower case.',
    ],
    [
      'an MD5 hash of another text',
      { [hash('md5', 'x')]: me },
      `"${hash('md5', 'x')}": The ID is not the MD5 hash of the document.`,
    ],
    [
      'one name twice',
      `{"a":${JSON.stringify(me)},"a":"{ __typename }"}`,
      '"a": The ID occurs more than once.',
    ],
    [
      'one hash with and without its prefix',
      { [sha256(me)]: me, [`sha256:${sha256(me)}`]: me },
      `"sha256:${sha256(me)}": The ID occurs more than once.`,
    ],
    [
      'an operation without a body',
      apollo({ id: 'a', body: me }, { id: 'b' }),
      'operations[1]: `id` and `body` must be strings.',
    ],
  ])('with %s prevents the start', async (_, content, problem) => {
    expect(await failure(content)).toBe(`PERSISTED_DOCUMENTS: FILE has 1 bad entry:\n  ${problem}`);
  });

  it('is rejected with its invalid entries', async () => {
    const bad = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`bad-${at}`, '{']));
    const lines = (await failure({ ...bad, me, [wrongHash]: me }))!.split('\n');
    expect(lines).toHaveLength(22);
    expect(lines[0]).toBe('PERSISTED_DOCUMENTS: FILE has 26 bad entries:');
    expect(lines[20]).toBe('  "bad-19": Syntax Error: Expected Name, found <EOF>.');
    expect(lines[21]).toBe('  and 6 more');
  });

  it('is checked with limits, INTROSPECTION and plugin rules', async () => {
    const introspection = '{ __schema { queryType { name } } }';
    expect(await failure({ me, introspection })).toBeNull();
    expect(await failure({ me, introspection }, { introspection: false })).toContain(
      '"introspection": GraphQL introspection has been disabled',
    );
    expect(await failure({ me }, { maxDepth: 1 })).toContain('"me": The operation');
    const deferred = { deferred: '{ ... @defer { __typename } }' };
    expect(await failure(deferred, {}, { plugins: [useDeferStream()] })).toBeNull();
    const plugin = {
      onValidate: ({ addValidationRule }: { addValidationRule: (rule: unknown) => void }) =>
        addValidationRule((context: { reportError: (error: Error) => void }) => ({
          OperationDefinition: () =>
            context.reportError(createGraphQLError('No operations today.')),
        })),
    };
    expect(await failure({ me }, {}, { plugins: [plugin] })).toContain(
      '"me": No operations today.',
    );
  });
});

describe('npm start', () => {
  const settings = { DMS_URL: 'http://127.0.0.1:1' };

  it(
    'fails with the invalid entries of a manifest, also with workers',
    { tags: ['nightly'] },
    async () => {
      const path = writeManifest({ a: '{ nothing }', me });
      const gateway = spawnGateway({ ...settings, WORKERS: '2', PERSISTED_DOCUMENTS: path });
      expect(await gateway.exited).toBe(1);
      // Workers also log the reason.
      expect(gateway.output().replaceAll(/^\{.*\n/gm, '')).toBe(
        `The gateway cannot start: PERSISTED_DOCUMENTS: ${path} has 1 bad entry:\n` +
          '  "a": Cannot query field "nothing" on type "Query".\n',
      );
    },
  );

  it('executes only trusted documents, also with workers', async () => {
    const path = writeManifest({ me });
    const only = { WORKERS: '2', PERSISTED_DOCUMENTS: path, PERSISTED_ONLY: 'on' };
    const url = await addressOf(spawnGateway({ ...settings, ...only }));
    const { post } = persistedClient({ fetch: (address, init) => fetch(url + address, init) });
    expect((await post({ documentId: 'me' })).body).toEqual(answer);
    expect((await post({ query: me })).status).toBe(403);
  });
});

it('PERSISTED_ONLY needs PERSISTED_DOCUMENTS', () => {
  expect(() => readConfig({ PERSISTED_ONLY: 'on' })).toThrow(
    /^Invalid settings:\n {2}PERSISTED_DOCUMENTS is required with PERSISTED_ONLY=on$/,
  );
});
