import { describe, expect, it } from 'vitest';
import {
  directions,
  download,
  sendPlain,
  startDirectionsDms,
  type Send,
} from '../helpers/directions.ts';
import { startFailingDms } from '../helpers/failing-dms.ts';
import { startGatewayBefore } from '../helpers/gateway.ts';
import { createDocumentParts } from '../helpers/multipart-request.ts';

const informed = 'HTTP/1.1 100 Continue\r\nServer: proxy\r\nContent-Length: 0\r\n\r\n';

/** Sends these bytes before every answer. */
const sendAfter =
  (bytes: string): Send =>
  (answer, request, response) => {
    request.socket.write(bytes);
    sendPlain(answer, request, response);
  };

it.each([
  ['100', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['100 without a reason', 'HTTP/1.1 100\r\n\r\n'],
  ['100 with headers', informed],
  ['100 twice', informed.repeat(2)],
  ['102', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ['103 and 100', `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${informed}`],
  ['199 and 100', `HTTP/1.1 199 Custom\r\n\r\n${informed}`],
])('an interim response %s precedes the response', async (_name, bytes) => {
  const dms = await startDirectionsDms(sendAfter(bytes));
  const { run, expected } = directions[0]!;
  expect(await run(dms, {})).toEqual(expected);
});

describe('an interim response 100', () => {
  it.each(directions)('in bytes of their own precedes $name', async ({ run, expected }) => {
    const dms = await startDirectionsDms((answer, request, response) => {
      request.socket.setNoDelay();
      const bytes = (informed + informed).split('');
      const sendNext = (): void => {
        const byte = bytes.shift();
        if (byte === undefined) sendPlain(answer, request, response);
        else request.socket.write(byte, () => setImmediate(sendNext));
      };
      sendNext();
    });
    expect(await run(dms, {})).toEqual(expected);
  });

  it('precedes each response of one connection', async () => {
    const dms = await startDirectionsDms(sendAfter(informed));
    const gateway = await startGatewayBefore(dms.url, {
      http: { connections: 1, transferConnections: 1, cacheTtlMs: 0 },
    });
    for (let count = 0; count < 3; count += 1) {
      const { data } = await gateway.query('{ person(id: "usr-ann") { firstName } }');
      expect(data).toEqual({ person: { firstName: 'Änne' } });
    }
    expect(dms.requests).toHaveLength(3);
  });

  it('can arrive while the request is sent', async () => {
    const dms = await startFailingDms((request, response) => {
      request.socket.write(informed);
      request.once('data', () => request.socket.write(informed));
      request.resume().once('end', () => {
        response.writeHead(201).end('{"_id":"aaaaaaaaaaaaaaaaaaaaaaaa"}');
      });
    });
    const gateway = await startGatewayBefore(dms.url);
    const files = [{ filename: 'a.bin', body: Buffer.alloc(3_000_000) }];
    const { data } = await gateway.upload(createDocumentParts(files));
    expect(data.createDocument.__typename).toBe('CreateDocumentPayload');
  });

  it('is kept as the content of a file', async () => {
    const dms = await startDirectionsDms(({ headers }, _request, response) => {
      response.writeHead(200, headers).flushHeaders();
      response.write(informed);
      response.end(informed);
    });
    const gateway = await startGatewayBefore(dms.url);
    expect((await download(gateway)).body.toString()).toBe(informed + informed);
  });
});

it.each([
  ['101, which nobody has asked for', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n'],
  ['a head without end', `HTTP/1.1 100 Continue\r\n${'x: y\r\n'.repeat(10_000)}`],
])('rejects %s', async (_what, bytes) => {
  const dms = await startDirectionsDms((_answer, request) => void request.socket.write(bytes));
  const [read] = directions;
  expect(await read!.run(dms, { http: { retries: 0 } })).toMatchObject([
    { extensions: { code: expect.stringMatching(/^UPSTREAM_/) } },
  ]);
});
