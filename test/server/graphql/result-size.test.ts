import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { checkJsonBytes, checkJsonSize } from '../../../src/schema/json-size.ts';
import { startGateway } from '../../helpers/gateway.ts';

const id = '5'.repeat(24);

describe('a response', () => {
  const query = '{ document(id: "D-1") { valuesByTags } }';
  const answerOf = (text: string) =>
    JSON.stringify({ data: { document: { valuesByTags: { t: text } } } });

  it.each([
    ['plain text', 'x'],
    ['text with multi-byte characters', '№'],
    ['text that JSON escapes', '\n'],
  ])('of %s is accepted up to the limit', async (_what, character) => {
    const text = character.repeat(2000);
    const length = Buffer.byteLength(answerOf(text));
    const ask = async (maxResponseBytes: number) => {
      const gateway = await startGateway({ server: { maxResponseBytes } });
      gateway.dms.reply('GET', /docForm/, { _id: id, valuesByTags: { t: text } });
      return { gateway, ...(await gateway.query(query, {}, { 'x-request-id': 'r' })) };
    };
    expect((await ask(length)).data).toEqual({ document: { valuesByTags: { t: text } } });
    const { gateway, status, data, errors } = await ask(length - 1);
    expect(status).toBe(200);
    expect(data).toBeNull();
    expect(errors).toEqual([
      {
        message: `The response is too large; MAX_RESPONSE_BYTES allows ${length - 1} bytes. Request smaller pages or fewer fields.`,
        extensions: { code: 'BAD_USER_INPUT', retryable: false, requestId: 'r' },
      },
    ]);
    await expect.poll(() => gateway.log).toMatchObject([{ outcome: 'BAD_USER_INPUT' }]);
  });

  it('is rejected if aliases multiply it', async () => {
    const gateway = await startGateway({ server: { maxResponseBytes: 100_000 } });
    const valuesByTags = { t: 'x'.repeat(100) };
    const documents = Array.from({ length: 100 }, (_, i) => ({
      _id: String(i).padStart(24, '5'),
      valuesByTags,
    }));
    gateway.dms.reply('GET', /view/, documents);
    const aliases = Array.from({ length: 50 }, (_, i) => `a${i}: valuesByTags`).join(' ');
    const { data, errors } = await gateway.query(
      `{ documents(view: ALL, first: 100) { nodes { ${aliases} } } }`,
    );
    expect(data).toBeNull();
    expect(errors?.map(({ extensions }) => extensions['code'])).toEqual(['BAD_USER_INPUT']);
    expect(gateway.dms.requests).toHaveLength(1);
  });

  it.each([
    ['control characters', '\u0001'],
    ['unpaired surrogates', '\ud800'],
  ])('of %s that is too large is not serialized', async (_what, character) => {
    const maxResponseBytes = 100_000;
    const gateway = await startGateway({ server: { maxResponseBytes } });
    const text = character.repeat(2000);
    gateway.dms.reply('GET', /docForm/, { _id: id, valuesByTags: { t: text } });
    const aliases = Array.from({ length: 40 }, (_, i) => `a${i}: valuesByTags`).join(' ');
    const stringify = vi.spyOn(JSON, 'stringify');
    onTestFinished(() => stringify.mockRestore());
    const { data } = await gateway.query(`{ document(id: "D-1") { ${aliases} } }`);
    expect(data).toBeNull();
    const lengths = stringify.mock.results.map(({ value }) => String(value).length);
    expect(Math.max(...lengths)).toBeLessThan(maxResponseBytes);
  });

  it.each([
    ['as JSON', 'application/json'],
    ['by the hooks of Yoga', 'application/json, multipart/mixed'],
    ['as a stream', 'text/event-stream'],
  ])(
    'that is long is serialized %s alone in its iteration of the event loop',
    async (_how, accept) => {
      const gateway = await startGateway();
      await gateway.load();
      const release = Promise.withResolvers<object>();
      const text = 'x'.repeat(100_000);
      gateway.dms.reply('GET', /docForm/, () => release.promise);
      const aliases = Array.from({ length: 20 }, (_, i) => `a${i}: valuesByTags`).join(' ');
      const body = JSON.stringify({ query: `{ document(id: "D-1") { ${aliases} } }` });
      const headers = { 'content-type': 'application/json', accept };
      const answers = Array.from({ length: 4 }, async () =>
        (await fetch(`${gateway.url}/graphql`, { method: 'POST', body, headers })).text(),
      );
      await expect
        .poll(async () => await gateway.metrics.text())
        .toContain('gateway_requests_in_flight 4');
      const iterations: number[] = [];
      let iteration = 0;
      const count = (): void => {
        iteration += 1;
        next = setImmediate(count);
      };
      let next = setImmediate(count);
      const { stringify } = JSON;
      const spy = vi.spyOn(JSON, 'stringify').mockImplementation((value: unknown) => {
        const json = stringify(value);
        if (json.length > 1_000_000) iterations.push(iteration);
        return json;
      });
      onTestFinished(() => {
        clearImmediate(next);
        spy.mockRestore();
      });
      release.resolve({ _id: id, valuesByTags: { t: text } });
      for (const answer of await Promise.all(answers)) expect(answer).toContain(text);
      expect(iterations).toHaveLength(4);
      expect(new Set(iterations)).toHaveProperty('size', 4);
    },
  );

  const executed = {
    message:
      'The response is too large; MAX_RESPONSE_BYTES allows 1024 bytes. Request smaller pages or fewer fields. The mutation was executed: do not send it again. `data` contains only its outcome, if that fits.',
    extensions: { code: 'BAD_USER_INPUT', retryable: false },
  };

  it('states that a mutation was executed', async () => {
    const gateway = await startGateway({ server: { maxResponseBytes: 1024 } });
    gateway.dms.reply('POST', '/api/v2/crm/org', { _id: id, name: 'x'.repeat(2000) });
    const { data, errors } = await gateway.query(
      `mutation { upsertOrganization(input: { name: "x" }) {
        ... on UpsertOrganizationPayload { organization { name } } } }`,
    );
    expect(data).toBeNull();
    expect(errors).toMatchObject([executed]);
    expect(gateway.dms.requests).toHaveLength(1);
  });

  it('keeps the ID of an object that a mutation created', async () => {
    const gateway = await startGateway({ server: { maxResponseBytes: 1024 } });
    const wire = { _id: id, state: 10, _tags: ['a'.repeat(2000)], _meta: { _rev: 1 } };
    gateway.dms.reply('POST', /docForm/, wire).reply('GET', /docForm/, wire);
    const { data, errors } = await gateway.query(
      `mutation { created: createDocument(input: { form: "F-1" }) { ...P ... on Error { message } } }
       fragment P on CreateDocumentPayload { workflowError document { fullId state tags meta { revision } } }`,
    );
    expect(errors).toMatchObject([executed]);
    expect(data).toEqual({
      created: {
        workflowError: null,
        document: { fullId: id, state: 10, tags: [], meta: null },
      },
    });
  });

  it('keeps the outcome of each item of a bulk mutation', async () => {
    const gateway = await startGateway({ server: { maxResponseBytes: 2048 } });
    gateway.dms
      .reply('POST', /docForm/, '')
      .reply('POST', /docForm\/d2\//, '', { status: 404 })
      .reply('POST', /docForm\/d3\//, '', { status: 502 })
      .reply('GET', /docForm/, { _id: id, valuesByTags: { t: 'x'.repeat(4000) } });
    const { status, data, errors } = await gateway.query(
      `mutation ($moves: [MoveDocumentInput!]!) {
        moveDocuments(input: { moves: $moves }) {
          all: results {
            kind: __typename
            ... on MoveDocumentPayload { document { valuesByTags } }
            ... on Error { message }
            ... on ValidationError { issues { path } }
          }
        }
      }`,
      {
        moves: ['d1', 'd2', 'd3', '/'].map((document) => ({ document, action: 'CANCEL' })),
      },
    );
    expect(status).toBe(200);
    expect(data).toEqual({
      moveDocuments: {
        all: [
          { kind: 'MoveDocumentPayload', document: null },
          { kind: 'NotFoundError', message: 'The document was not found.' },
          null,
          {
            kind: 'ValidationError',
            message: expect.any(String),
            issues: [{ path: ['moves', '3', 'document'] }],
          },
        ],
      },
    });
    expect(errors).toMatchObject([
      { path: ['moveDocuments', 'all', 2], extensions: { code: 'OUTCOME_UNKNOWN' } },
      { ...executed, message: executed.message.replace('1024', '2048') },
    ]);
  });

  it.each(['valuesByTags', 'values { ... on TextValue { text } }'])(
    'is a DMS error if its %s nest too deeply',
    async (field) => {
      const gateway = await startGateway();
      const deep = '{"a":'.repeat(200_000) + '1' + '}'.repeat(200_000);
      gateway.dms.reply('GET', /docForm/, `{"_id":"${id}","valuesByTags":{"t":${deep}}}`);
      const { status, data, errors } = await gateway.query(
        `{ document(id: "D-1") { ${field} } }`,
        {},
        { 'x-request-id': 'r' },
      );
      expect(status).toBe(200);
      expect(data?.document ?? null).toBeNull();
      expect(errors).toHaveLength(1);
      expect(errors?.[0]?.extensions).toEqual({
        code: 'UPSTREAM_ERROR',
        retryable: false,
        requestId: 'r',
      });
      const failures = gateway.log.filter(({ msg }) => msg === 'failure');
      expect(failures).toMatchObject([{ code: 'UPSTREAM_ERROR', requestId: 'r' }]);
    },
  );
});

describe('checkJsonSize', () => {
  it('counts the characters of JSON.stringify', () => {
    const value = { a: [1234, 'text', { b: { c: ['x', 'y'] } }], d: 'some more text' };
    const { length } = JSON.stringify(value);
    expect(checkJsonSize(value, length)).toBe('fits');
    expect(checkJsonSize(value, length - 8)).toBe('tooLong');
  });

  it('detects deep nesting', () => {
    const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
    expect(checkJsonSize(nested(500), 10_000)).toBe('fits');
    expect(checkJsonSize(nested(501), 10_000)).toBe('tooDeep');
    expect(checkJsonSize({ a: nested(200_000), b: 1 }, Infinity)).toBe('tooDeep');
  });
});

describe('checkJsonBytes', () => {
  it.each([
    [''],
    ['text'],
    [-1.5e-100],
    [[]],
    [{}],
    [[[], {}, null, true, false, 0, -12, 1e21]],
    [{ a: undefined, b: 1 }],
    [{ 'a"\n': ['"\\/\b\u0001\u007f\u0080', 'é№😀'], c: { d: 'x' } }],
  ])('counts the bytes of %j', (value) => {
    const bytes = Buffer.byteLength(JSON.stringify(value));
    expect(checkJsonBytes(value, bytes)).toBe('fits');
    expect(checkJsonBytes(value, bytes - 1)).toBe('tooLong');
  });

  it('detects deep nesting', () => {
    const nested: unknown = JSON.parse(`[${'['.repeat(500)}"x"${']'.repeat(500)}]`);
    expect(checkJsonBytes(nested, 1e6)).toBe('tooDeep');
    expect(checkJsonBytes(nested, 2000)).toBe('tooDeep');
  });
});
