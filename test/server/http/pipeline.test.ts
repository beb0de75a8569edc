import { Socket } from 'node:net';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Pipeline } from '../../../src/server/http/pipeline.ts';
import { RequestMemory } from '../../../src/server/http/request-memory.ts';
import { startGateway, type TestGatewayOptions } from '../../helpers/gateway.ts';
import { collectText, openConnection, queryBytes } from '../../helpers/raw-connection.ts';

const queryOf = (id: number): string => queryBytes(`{ document(id: "D-${id}") { shortId } }`);

/** Starts a gateway whose DMS answers each call when the returned function is called. */
async function start(options: TestGatewayOptions = {}) {
  const gateway = await startGateway({ ...options, http: { connections: 128 } });
  const waiting: (() => void)[] = [];
  let running = 0;
  let mostRunning = 0;
  gateway.dms.reply('GET', /docForm/, ({ path }) => {
    running += 1;
    mostRunning = Math.max(mostRunning, running);
    const { promise, resolve } = Promise.withResolvers<object>();
    waiting.push(() => {
      running -= 1;
      resolve({ _id: '5'.repeat(24), _id_web: /D-\d+/.exec(path)?.[0] });
    });
    return promise;
  });
  return { gateway, waiting, mostRunning: () => mostRunning };
}

describe('pipelined requests', () => {
  it('run a few at a time and are answered in order', async () => {
    const { gateway, waiting, mostRunning } = await start();
    const socket = openConnection(gateway.url);
    const text = collectText(socket);
    const ids = Array.from({ length: 400 }, (_, index) => index);
    socket.write(ids.map(queryOf).join(''));
    const answered = (): string[] => text().match(/D-\d+/g) ?? [];
    await expect
      .poll(
        () => {
          // In pairs, so that two run at the same time however the poll and the calls are timed.
          if (waiting.length >= 2) for (const answer of waiting.splice(0)) answer();
          return answered().length;
        },
        { interval: 1, timeout: 20_000 },
      )
      .toBe(400);
    expect(answered()).toEqual(ids.map((id) => `D-${id}`));
    expect(mostRunning()).toBe(2);
  });

  it('are read while a body behind them arrives', async () => {
    const { gateway, waiting } = await start();
    const socket = openConnection(gateway.url);
    const text = collectText(socket);
    const long = queryBytes(`{ document(id: "D-9") { shortId } } #${' '.repeat(90_000)}`);
    socket.write(Array.from({ length: 3 }, (_, id) => queryOf(id)).join('') + long.slice(0, 300));
    await expect.poll(() => waiting.length).toBe(2);
    for (const answer of waiting.splice(0)) answer();
    await expect.poll(() => waiting.length).toBe(1);
    socket.write(long.slice(300));
    await expect.poll(() => waiting.length).toBe(2);
    for (const answer of waiting.splice(0)) answer();
    await expect.poll(() => text().match(/D-\d+/g)?.length).toBe(4);
  });

  it('that need no I/O run in several iterations of the event loop', async () => {
    const memory = new RequestMemory({ requestTimeoutMs: 1000, maxRequestBytes: 2 ** 20 });
    const pipeline = new Pipeline(new Socket(), memory, { maxBytes: 0, maxMs: 0 });
    let started = 0;
    for (let id = 0; id < 2; id += 1) pipeline.add({ headers: {} }, () => {});
    for (let id = 0; id < 5; id += 1) {
      pipeline.add({ headers: {} }, () => {
        started += 1;
        pipeline.finished();
      });
    }
    pipeline.finished();
    for (let iteration = 1; iteration <= 5; iteration += 1) {
      await nextIteration();
      expect(started).toBe(iteration);
    }
  });

  it('that wait are dropped with their connection', async () => {
    const { gateway, waiting } = await start();
    const socket = openConnection(gateway.url);
    socket.write(Array.from({ length: 20 }, (_, id) => queryOf(id)).join(''));
    await expect.poll(() => waiting.length).toBe(2);
    socket.destroy();
    for (const answer of waiting.splice(0)) answer();
    // The disconnect is noticed with the next response, which can start another request.
    await expect
      .poll(() => {
        for (const answer of waiting.splice(0)) answer();
        return gateway.log.filter(({ msg }) => msg === 'request').length;
      })
      .toBeGreaterThanOrEqual(2);
    expect(gateway.dms.requests.length).toBeLessThan(20);
  });

  it('close their connection if there is no room for those that wait', async () => {
    const { gateway } = await start({ server: { maxRequestBytes: 2 ** 20 } });
    const socket = openConnection(gateway.url);
    socket.write(Array.from({ length: 1000 }, (_, id) => queryOf(id)).join(''));
    await new Promise((resolve) => socket.once('close', resolve));
    expect((await gateway.fetch('/healthz')).status).toBe(200);
    expect((await gateway.query('{ __typename }')).status).toBe(200);
  });
});
