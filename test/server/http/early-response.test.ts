import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { fakeTimers } from '../../helpers/fake-timers.ts';
import { startGateway, type TestGatewayOptions } from '../../helpers/gateway.ts';
import { collectText, openConnection, queryBytes } from '../../helpers/raw-connection.ts';

describe('a response that precedes the end of the body', () => {
  const head = (lines: readonly string[], path = '/graphql') =>
    [`POST ${path} HTTP/1.1`, 'transfer-encoding: chunked', ...lines, '', ''].join('\r\n');
  const json = 'content-type: application/json';
  const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
  const jwt: TestGatewayOptions = {
    server: {
      identity: {
        mode: 'jwt',
        secret: 'a secret of more than 32 characters, for tests',
        jwksUrl: null,
        issuer: null,
        audience: null,
        runAsClaim: 'email',
      } as never,
    },
  };

  const cases: readonly [number, string, TestGatewayOptions][] = [
    [400, head(['host: a b', json]), {}],
    [401, head(['host: x', json]), jwt],
    [403, head(['host: x', json, 'svc-run-as: ann']), {}],
    [404, head(['host: x', json], '/nowhere'), {}],
    [405, head(['host: x', json], '/healthz'), {}],
    [406, head(['host: x', json, 'accept: image/png']), {}],
    [413, head(['host: x', json]), { server: { maxBodyBytes: 1024 } }],
    [415, head(['host: x', 'content-type: text/plain']), {}],
    [421, head(['host: example.org', json]), {}],
  ];
  it.each(cases)('has Connection: close, and the body is read to its end: %i', async (...given) => {
    const [status, bytes, options] = given;
    const gateway = await startGateway(options);
    const socket = openConnection(gateway.url);
    const text = collectText(socket);
    socket.write(bytes + chunk);
    await expect.poll(text).toMatch(/"requestId":"[^"]+"}}\]}/);
    expect(text()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(text()).toMatch(/^connection: close\r$/im);
    for (let sent = 0; sent < 32; sent += 1) socket.write(chunk);
    expect(socket.closed).toBe(false);
    let hasEnded = false;
    socket.once('end', () => (hasEnded = true)); // not if the connection was reset
    socket.write('0\r\n\r\n');
    await once(socket, 'close');
    expect(hasEnded).toBe(true);
  });

  it('is the last one of its connection', async () => {
    const gateway = await startGateway({ server: { maxBodyBytes: 1024 } });
    gateway.dms.reply('GET', /docForm/, { _id: '5'.repeat(24) });
    const socket = openConnection(gateway.url);
    const text = collectText(socket);
    socket.write(head(['host: x', json]) + chunk);
    await expect.poll(text).toContain('HTTP/1.1 413');
    socket.write(`0\r\n\r\n${queryBytes('{ document(id: "D-1") { shortId } }')}`);
    await once(socket, 'close');
    expect(text().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413']);
    expect(gateway.dms.requests).toEqual([]);
  });

  it('is logged with its outcome if the client then disconnects', async () => {
    const gateway = await startGateway({ server: { maxBodyBytes: 1024 } });
    const socket = openConnection(gateway.url);
    const text = collectText(socket);
    socket.write(head(['host: x', json]) + chunk);
    await expect.poll(text).toContain('HTTP/1.1 413');
    socket.destroy();
    await expect
      .poll(() => gateway.log)
      .toMatchObject([{ status: 413, outcome: 'BAD_USER_INPUT' }]);
  });

  it('closes the connection if the body does not end in time', async () => {
    fakeTimers('setTimeout');
    const server = { maxBodyBytes: 1024, requestTimeoutMs: 10_000 };
    const gateway = await startGateway({ server });
    const socket = openConnection(gateway.url);
    const text = collectText(socket);
    socket.write(head(['host: x', json]) + chunk);
    await expect.poll(text).toContain('HTTP/1.1 413');
    vi.advanceTimersByTime(10_000);
    await once(socket, 'close');
  });
});
