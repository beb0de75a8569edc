import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Plugin } from 'graphql-yoga';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { OperationContext } from '../../../src/server/graphql/operation.ts';
import { startGateway, type TestGateway, type TestGatewayOptions } from '../../helpers/gateway.ts';
import { heldBytes } from '../../helpers/held-bytes.ts';
import { createDocumentParts, multipartHeaders } from '../../helpers/multipart-request.ts';
import { collectText, openConnection } from '../../helpers/raw-connection.ts';

const query = '{"query":"{ __typename }"}';

describe('the encoding of a request', () => {
  const post = async (body: string | Buffer, headers: Record<string, string> = {}) => {
    const gateway = await startGateway();
    const response = await gateway.post(new Uint8Array(Buffer.from(body)), headers);
    const { data, errors } = JSON.parse(await response.text());
    return { status: response.status, data, message: errors?.[0].message, errors };
  };

  const accepted: readonly [string, string | Buffer, Record<string, string>][] = [
    ['a byte order mark', `\uFEFF${query}`, {}],
    ['charset=utf-8', query, { 'content-type': 'application/json; charset=utf-8' }],
    ['charset="UTF8"', query, { 'content-type': 'application/json; Charset="UTF8"' }],
    ['Content-Encoding: identity', query, { 'content-encoding': 'Identity' }],
    ['brackets in a text', query.replace('{ _', `{ #${'['.repeat(20_000)}\\"{\\n _`), {}],
  ];
  it.each(accepted)('can be %s', async (_what, body, headers) => {
    expect(await post(body, headers)).toMatchObject({ status: 200, data: { __typename: 'Query' } });
  });

  const refused: readonly [string, string | Buffer, Record<string, string>, number, string][] = [
    [
      'nested deeply',
      `{"query":"{ __typename }","variables":{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}}`,
      {},
      400,
      'The request body must have at most 1000 levels of nesting.',
    ],
    [
      'a compressed body',
      'x',
      { 'content-encoding': 'gzip' },
      415,
      'The content encoding "gzip" is not supported. Send the body uncompressed.',
    ],
    [
      'encoded in an unknown way',
      query,
      { 'content-encoding': '\u00a0' },
      415,
      'The content encoding "?" is not supported. Send the body uncompressed.',
    ],
    [
      'another charset',
      Buffer.from(query, 'utf16le'),
      { 'content-type': 'application/json; charset=utf-16le' },
      415,
      'The charset "utf-16le" is not supported. Send the body in UTF-8.',
    ],
    [
      'another charset of a multipart request',
      'x',
      { ...multipartHeaders, 'content-type': 'multipart/form-data; boundary=b; charset=latin1' },
      415,
      'The charset "latin1" is not supported. Send the body in UTF-8.',
    ],
    [
      'bytes that are not UTF-8',
      Buffer.from([0x22, 0xe9, 0x22]),
      {},
      400,
      'The request body must be encoded in UTF-8.',
    ],
    [
      'two byte order marks',
      `\uFEFF\uFEFF${query}`,
      {},
      400,
      'The request body must be valid JSON.',
    ],
    ['no body', '', {}, 400, 'The request body must be valid JSON.'],
  ];
  it.each(refused)('is rejected if it is %s', async (_what, body, headers, status, message) => {
    const answer = await post(body, headers);
    expect(answer).toMatchObject({ status, message });
    expect(answer.errors[0].extensions.code).toBe('BAD_USER_INPUT');
  });
});

describe('a body that stops arriving', () => {
  /** Starts a gateway and sends it a request whose body is incomplete. */
  async function startWith(start: string, options: TestGatewayOptions) {
    const gateway = await startGateway(options);
    const socket = openConnection(gateway.url);
    const text = collectText(socket);
    const head = 'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
    const length = Math.max(query.length, start.length + 1);
    socket.write(`${head}content-length: ${length}\r\n\r\n${start}`);
    return { gateway, socket, text };
  }

  const cloning: Plugin<OperationContext> = { onRequest: ({ request }) => void request.clone() };
  it.each<readonly [string, string, readonly Plugin<OperationContext>[]]>([
    ['before its first byte', '', []],
    ['in the middle', query.slice(0, 9), []],
    ['in the middle, of a request that a plugin has cloned', query.slice(0, 9), [cloning]],
  ])('is rejected with 408 %s', async (_where, start, plugins) => {
    const options = { server: { requestTimeoutMs: 50 }, parts: { plugins } };
    const { gateway, text } = await startWith(start, options);
    await expect.poll(text).toContain('"code":"BAD_USER_INPUT"');
    expect(text()).toMatch(/^HTTP\/1.1 408 /);
    await expect
      .poll(() => gateway.log)
      .toMatchObject([{ outcome: 'BAD_USER_INPUT', status: 408 }]);
  });

  it('is accepted if it continues in time', async () => {
    const { gateway, socket, text } = await startWith(query.slice(0, 9), {});
    await gateway.query('{ __typename }');
    socket.write(query.slice(9));
    await expect.poll(text).toContain('{"data":{"__typename":"Query"}}');
  });
});

describe('a body in chunks of one byte', () => {
  const connections = 3;
  /** A quarter of the memory of as many separate buffers. */
  const maxGrowth = (chunkCount: number) => chunkCount * connections * 50;

  /** Sends the head and the start of a body, then bytes one by one, without an end. */
  function drip(
    gateway: TestGateway,
    head: string,
    start: string | Buffer,
    chunkCount: number,
  ): Socket {
    const socket = openConnection(gateway.url);
    socket.write(`${head}\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n`);
    if (start.length > 0) {
      socket.write(`${start.length.toString(16)}\r\n`);
      socket.write(start);
      socket.write('\r\n');
    }
    socket.write('1\r\n \r\n'.repeat(chunkCount));
    return socket;
  }

  function arrivals(): IncomingMessage[] {
    const requests: IncomingMessage[] = [];
    const take = (message: unknown): void => {
      const { request } = message as { request: IncomingMessage };
      if (request.url?.startsWith('/graphql')) requests.push(request);
    };
    channel('http.server.request.start').subscribe(take);
    onTestFinished(() => {
      channel('http.server.request.start').unsubscribe(take);
    });
    return requests;
  }

  const multipartHead = `POST /graphql HTTP/1.1\r\n${Object.entries(multipartHeaders)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\r\n')}`;
  const [operations] = createDocumentParts([{ filename: 'a', body: '' }]);
  const fieldHead = (name: string) =>
    `--test-boundary\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`;

  const read: readonly [string, string, string | Buffer][] = [
    ['as JSON', 'POST /graphql HTTP/1.1\r\ncontent-type: application/json', '{"query":"'],
    ['as `operations`', multipartHead, fieldHead('operations')],
    [
      'as `map`',
      multipartHead,
      `${fieldHead('operations')}${String(operations!.body)}\r\n${fieldHead('map')}`,
    ],
  ];
  it.each(read)(
    'uses little more memory than its bytes %s',
    async (_what, head, start) => {
      const gateway = await startGateway();
      const requests = arrivals();
      await gateway.query('{ __typename }'); // loads code
      requests.length = 0;
      const chunkCount = 40_000;
      const before = heldBytes();
      const sockets = Array.from({ length: connections }, () =>
        drip(gateway, head, start, chunkCount),
      );
      await expect
        .poll(() => requests.map((req) => req.socket.bytesRead))
        .toEqual(sockets.map((socket) => socket.bytesWritten));
      expect(heldBytes() - before).toBeLessThan(maxGrowth(chunkCount));
    },
    40_000,
  );
});
