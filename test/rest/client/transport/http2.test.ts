import { createSecureServer, constants, type Http2SecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { Pool, type Dispatcher } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAuthority, readCertificate } from '../../../helpers/certificates.ts';

/*
 * Why the gateway speaks HTTP/1.1 to the DMS. If one of these tests fails after an update of undici or Node, the promise
 * of its name may hold over HTTP/2.
 */

const [data, headers, resetStream, settings] = [0, 1, 3, 4];
const [endStream, endHeaders] = [1, 4];
const prefaceBytes = 24;

interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly payload: Buffer;
}

/** Separates the frames that a client has sent (RFC 9113, 4.1). */
function framesOf(received: Buffer): Frame[] {
  const frames: Frame[] = [];
  let at = prefaceBytes;
  while (received.length >= at + 9) {
    const end = at + 9 + received.readUIntBE(at, 3);
    if (received.length < end) break;
    const [type = 0, flags = 0] = received.subarray(at + 3, at + 5);
    frames.push({ type, flags, payload: received.subarray(at + 9, end) });
    at = end;
  }
  return frames;
}

async function poolFor(server: Server | Http2SecureServer, ca: string): Promise<Pool> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const pool = new Pool(`https://127.0.0.1:${port}`, {
    connections: 1,
    pipelining: 1,
    allowH2: true,
    connect: { ca, allowH2: true },
  });
  onTestFinished(async () => {
    await pool.destroy();
    server.close();
  });
  return pool;
}

/** Sends a request once. Resolves with its status, or with the message of its error. */
function send(
  pool: Pool,
  body: string | AsyncIterable<Buffer>,
  onStart: (controller: Dispatcher.DispatchController) => void = () => {},
): Promise<number | string> {
  return new Promise((resolve) => {
    const request = { path: '/', method: 'POST', body };
    pool.dispatch(request as unknown as Dispatcher.DispatchOptions, {
      onRequestStart: onStart,
      onResponseStart: (_controller, status) => resolve(status),
      onResponseData: () => {},
      onResponseEnd: () => {},
      onResponseError: (_controller, error) => resolve(error.message),
    });
  });
}

describe('undici over HTTP/2', () => {
  // https://github.com/nodejs/node/issues/35302
  it.each(['fails', 'is cancelled'])(
    'ends an upload that %s as if it was complete',
    async (how) => {
      const authority = createAuthority();
      let received = Buffer.alloc(0);
      const tls = { ...readCertificate(authority.issue()), ALPNProtocols: ['h2'] };
      const server = createServer(tls, (socket) => {
        socket.on('error', () => {}).write(Buffer.from([0, 0, 0, settings, 0, 0, 0, 0, 0]));
        socket.on('data', (chunk) => {
          received = Buffer.concat([received, chunk]);
        });
      });
      const pool = await poolFor(server, readCertificate(authority).cert);
      const framesOfUpload = (): Frame[] =>
        framesOf(received).filter(({ type }) => [data, headers, resetStream].includes(type));
      let cancel = (): void => {};
      async function* body(): AsyncGenerator<Buffer> {
        yield Buffer.from('the first half');
        await expect.poll(framesOfUpload).toHaveLength(2);
        if (how === 'is cancelled') cancel();
        else throw new Error('fails');
      }
      const result = await send(pool, body(), (controller) => {
        cancel = () => controller.abort(new Error('is cancelled'));
      });
      expect(result).toBe(how);
      await expect.poll(framesOfUpload).toEqual([
        { type: headers, flags: endHeaders, payload: expect.any(Buffer) as Buffer },
        { type: data, flags: 0, payload: Buffer.from('the first half') },
        { type: data, flags: endStream, payload: Buffer.alloc(0) },
        {
          type: resetStream,
          flags: 0,
          payload: Buffer.from([0, 0, 0, constants.NGHTTP2_NO_ERROR]),
        },
      ]);
    },
  );

  // https://github.com/nodejs/undici/pull/5598
  it('sends a write again that the server refused after it had read it', async () => {
    const authority = createAuthority();
    let received = 0;
    const server = createSecureServer(readCertificate(authority.issue())).on('stream', (stream) => {
      stream.on('error', () => {}).resume();
      stream.on('end', () => {
        received += 1;
        if (received === 1) stream.close(constants.NGHTTP2_REFUSED_STREAM);
        else stream.respond({ ':status': 201 }, { endStream: true });
      });
    });
    const pool = await poolFor(server, readCertificate(authority).cert);
    expect(await send(pool, '{"name":"Müller"}')).toBe(201);
    expect(received).toBe(2);
  });
});
