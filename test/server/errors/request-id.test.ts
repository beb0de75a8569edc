import { useDeferStream } from '@graphql-yoga/plugin-defer-stream';
import { describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../helpers/gateway.ts';
import { multipart, multipartHeaders, type Part } from '../../helpers/multipart-request.ts';
import { answersInParts } from '../../helpers/result-parts.ts';

const requestId = 'request-1';
const id = '5f0000000000000000000001';

interface Answer {
  readonly status: number;
  /** `extensions` of every error, including those in parts of a streamed result. */
  readonly extensions: readonly Record<string, unknown>[];
}

/** Sends a request with a request ID and returns the errors of the response, in any format. */
async function send(gateway: TestGateway, path: string, init: RequestInit = {}): Promise<Answer> {
  const headers = new Headers(init.headers);
  headers.set('x-request-id', requestId);
  const response = await gateway.fetch(path, { ...init, headers });
  expect(response.headers.get('x-request-id')).toBe(requestId);
  return { status: response.status, extensions: extensionsIn(await response.text()) };
}

function extensionsIn(body: string): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  const parts = [...body.matchAll(/^(?:data: )?(\{.*\})$/gm)];
  for (const [, json = ''] of parts) {
    const collect = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      if ('errors' in value) {
        for (const error of value.errors as { extensions: Record<string, unknown> }[]) {
          found.push(error.extensions);
        }
      }
      Object.values(value).forEach(collect);
    };
    collect(JSON.parse(json));
  }
  return found;
}

function query(
  gateway: TestGateway,
  document: string,
  body: object = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  return send(gateway, '/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify({ query: document, ...body }),
  });
}

function upload(gateway: TestGateway, parts: readonly Part[]): Promise<Answer> {
  return send(gateway, '/graphql', {
    method: 'POST',
    headers: multipartHeaders,
    body: new Uint8Array(multipart(parts)),
  });
}

const isAlone = (code: string) => [expect.objectContaining({ code, requestId })];

describe('the request ID of a multipart error', () => {
  const operations = {
    name: 'operations',
    body: '{"query":"{ __typename }","variables":{"f":null}}',
  };
  it.each([
    ['no part', []],
    ['a map with an invalid path', [operations, { name: 'map', body: '{"0":["variables.g"]}' }]],
  ] as const)('is there for %s', async (_what, parts) => {
    const gateway = await startGateway();
    const { extensions } = await upload(gateway, parts);
    expect(extensions).toEqual(isAlone('BAD_USER_INPUT'));
  });

  it('is set for a missing file', async () => {
    const gateway = await startGateway();
    const variables = { input: { form: 'INV', files: [null] } };
    const create =
      'mutation M($input: CreateDocumentInput!) { createDocument(input: $input) { __typename } }';
    const { extensions } = await upload(gateway, [
      { name: 'operations', body: JSON.stringify({ query: create, variables }) },
      { name: 'map', body: '{"0":["variables.input.files.0"]}' },
    ]);
    expect(extensions).toEqual(isAlone('BAD_USER_INPUT'));
  });
});

describe.runIf(answersInParts)('the request ID of a streamed error', () => {
  const deferred = `{ document(id: "${id}") { fullId ... @defer { recognizedText { text } } } }`;
  const start = async () => {
    const gateway = await startGateway({ parts: { plugins: [useDeferStream()] } });
    gateway.dms.reply('GET', new RegExp(`/api/v2/docForm/${id}`), { _id: id });
    gateway.dms.reply('GET', `/api/v2/idp/${id}/text`, '', { status: 500 });
    return gateway;
  };

  it.each(['multipart/mixed', 'text/event-stream'])('is set in a part of %s', async (accept) => {
    const { extensions } = await query(await start(), deferred, {}, { accept });
    expect(extensions).toEqual(isAlone('UPSTREAM_ERROR'));
  });

  it.each(['multipart/mixed', 'text/event-stream'])(
    'is set in %s with one part',
    async (accept) => {
      const { extensions } = await query(await start(), '{ nope }', {}, { accept });
      expect(extensions).toEqual(isAlone('GRAPHQL_VALIDATION_FAILED'));
    },
  );

  it('is set for a client without streaming', async () => {
    const { status, extensions } = await query(await start(), deferred);
    expect(status).toBe(406);
    expect(extensions).toEqual(isAlone('BAD_USER_INPUT'));
  });
});
