import { describe, expect, it, onTestFinished, vi } from 'vitest';
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

  const executed = {
    message:
      'The response is too large; MAX_RESPONSE_BYTES allows 1024 bytes. Request smaller pages or fewer fields. The mutation was executed: do not send it again.',
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

  it('does not state it of a mutation that was rejected', async () => {
    const gateway = await startGateway({ server: { maxResponseBytes: 1024 } });
    const { errors } = await gateway.query(
      'mutation ($i: MoveDocumentInput!) { moveDocument(input: $i) { __typename } }',
      { i: { document: 'D-1', action: '漢'.repeat(900) } },
    );
    expect(errors).toMatchObject([{ message: executed.message.replace(/ The mutation .*/, '') }]);
    expect(gateway.dms.requests).toEqual([]);
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
