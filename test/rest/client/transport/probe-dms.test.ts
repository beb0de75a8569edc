import { once } from 'node:events';
import { createServer as createHttp2Server, createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createNetServer, type AddressInfo, type Server } from 'node:net';
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
  type TlsOptions,
} from 'node:tls';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { probeDms } from '../../../../src/rest/client/transport/probe-dms.ts';
import { createAuthority, readCertificate } from '../../../helpers/certificates.ts';
import { fakeTimers } from '../../../helpers/fake-timers.ts';
import { startFailingDms, type Behaviour } from '../../../helpers/failing-dms.ts';

/** The certificate of a server that this process trusts until the test ends. */
function trustedCertificate() {
  const authority = createAuthority();
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, readCertificate(authority).cert]);
  onTestFinished(() => setDefaultCACertificates(trusted));
  return { ...readCertificate(authority.issue()), ca: readCertificate(authority).cert };
}

async function listen(server: Server, protocol = 'https'): Promise<string> {
  server.on('tlsClientError', () => {});
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function reasonOf(behave: Behaviour): Promise<string | null> {
  const dms = await startFailingDms(behave);
  return (await probeDms(dms.url)).reason;
}

/** The first bytes of a server that speaks HTTP/2, whatever its client says: an empty frame of settings. */
const settingsFrame = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);

describe('probeDms', () => {
  it('sends one request without a credential, and returns the time of the DMS', async () => {
    const headers: unknown[] = [];
    const dms = await startFailingDms((request, response) => {
      headers.push(request.headers);
      response.writeHead(401, { date: 'Wed, 25 Nov 2026 12:00:00 GMT' }).end('x'.repeat(100_000));
    });
    expect(await probeDms(`${dms.url}/base`)).toEqual({
      reason: null,
      date: 'Wed, 25 Nov 2026 12:00:00 GMT',
    });
    expect(dms.requests).toEqual(['GET /base/']);
    const { host } = new URL(dms.url);
    expect(headers).toEqual([
      { accept: '*/*', 'accept-encoding': 'identity', connection: 'close', host },
    ]);
    await expect.poll(() => dms.openSockets.size).toBe(0);
  });

  it.each<readonly [string, TlsOptions]>([
    ['TLS 1.3', { minVersion: 'TLSv1.3' }],
    ['TLS 1.2', { maxVersion: 'TLSv1.2' }],
  ])('says that a client certificate is required with %s', async (_version, options) => {
    const required = { requestCert: true, rejectUnauthorized: true };
    const server = createHttpsServer({ ...trustedCertificate(), ...options, ...required });
    expect((await probeDms(await listen(server))).reason).toMatch(/requires? a client certificate/);
  });

  it.each([
    ['No required SSL certificate was sent', 'it requires a client certificate'],
    ['The SSL certificate error', 'it rejects the client certificate'],
    ['A client SSL certificate is needed', 'it requires a client certificate'],
  ])('says so of a proxy that answers with a page: %s', async (text, expected) => {
    const reason = await reasonOf((_request, response) => {
      response.writeHead(400, { 'content-type': 'text/html' });
      response.end(`<center>${text}</center>`);
    });
    expect(reason).toBe(expected);
  });

  it('uses a DMS that accepts a client certificate, and requires none', async () => {
    const optional = { requestCert: true, rejectUnauthorized: false };
    const server = createHttpsServer({ ...trustedCertificate(), ...optional }, (_req, res) => {
      res.end();
    });
    expect((await probeDms(await listen(server))).reason).toBeNull();
  });

  it.each<readonly [string, () => Promise<string>]>([
    ['over TLS', () => listen(createSecureServer(trustedCertificate()))],
    [
      'over TLS without negotiation',
      () =>
        listen(
          createTlsServer(trustedCertificate(), (socket) => {
            socket.on('error', () => {}).write(settingsFrame);
          }),
        ),
    ],
    [
      'without TLS',
      () =>
        listen(
          createHttp2Server().on('sessionError', () => {}),
          'http',
        ),
    ],
  ])('says that a DMS speaks HTTP/2 only %s', async (_how, start) => {
    expect((await probeDms(await start())).reason).toBe('it speaks HTTP/2 only');
  });

  it.each(['SSH-2.0-OpenSSH_9.6\r\n', '\0\0\0\u0004'])(
    'says that the answer %j is not HTTP',
    async (answer) => {
      const server = createNetServer((socket) => void socket.on('error', () => {}).end(answer));
      const { reason } = await probeDms(await listen(server, 'http'));
      expect(reason).toMatch(/^(?:its answer is not HTTP\/1\.1|it speaks HTTP\/2 only)$/);
    },
  );

  it('does not wait forever', async () => {
    fakeTimers('setTimeout');
    const dms = await startFailingDms(() => vi.advanceTimersByTime(5000));
    expect((await probeDms(dms.url)).reason).toBe('no answer within 5000 ms');
  });

  it('needs only the head of an answer', async () => {
    const reason = await reasonOf((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('x');
    });
    expect(reason).toBeNull();
  });

  it('reads only the beginning of an error', async () => {
    const reason = await reasonOf((_request, response) => {
      response.writeHead(400);
      const fill = (): void => {
        while (response.write('x'.repeat(10_000)));
        response.once('drain', fill);
      };
      fill();
    });
    expect(reason).toBeNull();
  });
});
