import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startFailingDms } from '../../helpers/failing-dms.ts';
import { startGateway, startGatewayBefore } from '../../helpers/gateway.ts';
import { openConnection, queryBytes, readToEnd } from '../../helpers/raw-connection.ts';

const person = '{ person(id: "usr-ann") { email } }';

/** Starts a gateway with a running request that ends when `finish` is called. */
async function startBusy() {
  const gateway = await startGateway();
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<object>();
  gateway.dms.reply('GET', /person/, () => {
    asked.resolve();
    return answer.promise;
  });
  const running = gateway.query(person);
  await asked.promise;
  return { gateway, running, finish: () => answer.resolve({ _id_sys: 'usr-ann', email: 'x' }) };
}

describe('/healthz and /readyz', () => {
  it('report a live gateway and a reachable DMS', async () => {
    const gateway = await startGateway();
    expect(await (await gateway.fetch('/healthz')).json()).toEqual({ status: 'ok' });
    const ready = await gateway.fetch('/readyz');
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }]);
  });

  it('report alive but not ready without a DMS', async () => {
    const gateway = await startGatewayBefore('http://127.0.0.1:1');
    expect((await gateway.fetch('/healthz')).status).toBe(200);
    const ready = await gateway.fetch('/readyz');
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'not ready' }]);
  });

  it('report ready while all connections are busy', async () => {
    const dms = await startFailingDms((request, response) => {
      if (request.url === '/') response.end();
    });
    const gateway = await startGatewayBefore(dms.url, { http: { connections: 1 } });
    const busy = Promise.allSettled([gateway.query(person)]);
    await expect.poll(() => dms.requests).toHaveLength(1);
    expect((await gateway.fetch('/readyz')).status).toBe(200);
    expect(dms.requests).toEqual(['GET /api/v2/person/usr-ann', 'GET /']);
    await gateway.close();
    await busy;
  });

  it('ping the DMS once for many requests', async () => {
    const gateway = await startGateway();
    await Promise.all(Array.from({ length: 20 }, () => gateway.fetch('/readyz')));
    expect(gateway.dms.requests).toHaveLength(1);
  });
});

it('the ping of the DMS is shared while it is in progress', async () => {
  const held = Promise.withResolvers<string>();
  const gateway = await startGateway();
  gateway.dms.reply('GET', '/', () => held.promise);
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => {
    clock.mockRestore();
  });
  const first = gateway.fetch('/readyz');
  await expect.poll(() => gateway.dms.requests).toHaveLength(1);
  now += 1500;
  const second = gateway.fetch('/readyz');
  await gateway.fetch('/healthz');
  held.resolve('');
  expect([(await first).status, (await second).status]).toEqual([200, 200]);
  expect(gateway.dms.requests).toHaveLength(1);
});

describe('shutting down', () => {
  /**
   * Starts a shutdown while a request is running on a connection, and sends another one on it.
   * @returns the bytes of both responses
   */
  async function sendWhileStopping(nextRequest: string): Promise<string> {
    const { gateway, running, finish } = await startBusy();
    const socket = openConnection(gateway.url);
    const answers = readToEnd(socket);
    socket.write(queryRequest);
    await expect.poll(() => gateway.dms.requests.length).toBe(2);
    const closed = gateway.close(5000);
    socket.write(nextRequest);
    finish();
    await Promise.all([running, closed]);
    return answers;
  }
  const queryRequest = queryBytes('{ person(id: "usr-bob") { email } }');

  it('rejects a new request on a busy connection', async () => {
    const text = await sendWhileStopping(queryRequest);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 503']);
    expect(text).toContain('The gateway is shutting down. Try again.');
    expect(text).toContain('"code":"SHUTTING_DOWN"');
    expect(text).toContain('retry-after: 1\r\n');
  });

  it.each([
    ['/readyz', 503, 'not ready'],
    ['/healthz', 200, 'ok'],
  ])('reports on a busy connection: %s has status %i', async (path, status, report) => {
    const text = await sendWhileStopping(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', `HTTP/1.1 ${status}`]);
    expect(text).toContain(`{"status":"${report}"}`);
  });

  it('aborts late requests', async () => {
    const { gateway, running } = await startBusy();
    const failed = running.catch((error: unknown) => String(error));
    expect(await gateway.close(50)).toBe(false);
    expect(await failed).toContain('fetch failed');
  });
});
