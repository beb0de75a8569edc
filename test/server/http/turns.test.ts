import { setImmediate as nextIteration } from 'node:timers/promises';
import type { Plugin } from 'graphql-yoga';
import { describe, expect, it, vi } from 'vitest';
import type { OperationContext } from '../../../src/server/graphql/operation.ts';
import { waitForTurn } from '../../../src/server/http/turns.ts';
import { startGateway } from '../../helpers/gateway.ts';
import { fakeTimers } from '../../helpers/fake-timers.ts';
import { requestOf, takeLongTurns, turnCount } from '../../helpers/turns.ts';

describe('turns', () => {
  it('go around among the callers', async () => {
    const done: string[] = [];
    const turns = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(async (name) => {
      await waitForTurn(requestOf(name[0]!));
      done.push(name);
    });
    await Promise.all(turns);
    expect(done).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('are distributed over several iterations if they take long', async () => {
    fakeTimers('performance');
    const done: number[] = [];
    const take = async (ms: number): Promise<void> => {
      await waitForTurn(requestOf('a'));
      await Promise.resolve();
      vi.advanceTimersByTime(ms);
      done.push(ms);
    };
    for (const ms of [1, 1, 10, 10, 10]) void take(ms);
    const counts: number[] = [];
    while (done.length < 5) {
      const before = done.length;
      await nextIteration();
      counts.push(done.length - before);
    }
    expect(counts).toEqual([3, 1, 1]);
  });

  it('are given up at once by clients that disconnect', async () => {
    const done: string[] = [];
    const clients = ['a1', 'a2', 'b1', 'c1', 'c2'].map((name) => {
      const client = new AbortController();
      const turn = waitForTurn(requestOf(name[0]!, client.signal));
      return { name, client, turn: turn.then(() => void done.push(name)) };
    });
    for (const { name, client, turn } of clients) {
      if (name === 'a1' || name.startsWith('b') || name.startsWith('c')) {
        client.abort();
        await expect(turn).rejects.toMatchObject({ code: 'CANCELLED' });
      }
    }
    expect(done).toEqual([]);
    await clients[1]!.turn;
    await waitForTurn(requestOf('c'));
    expect(done).toEqual(['a2']);
    await expect(waitForTurn(requestOf('c', AbortSignal.abort()))).rejects.toMatchObject({
      code: 'CANCELLED',
    });
  });
});

describe('behind requests of the same caller', () => {
  const start = async () => {
    const callers: string[] = [];
    const parsed: unknown[] = [];
    const plugin: Plugin<OperationContext> = {
      onParse: ({ params }) => void parsed.push(params.source),
      onContextBuilding: ({ context }) => void callers.push(context.operation.http.memory.key),
    };
    const gateway = await startGateway({
      parts: { plugins: [plugin] },
    });
    gateway.dms.reply('GET', /docForm/, { _id: '5'.repeat(24) });
    await gateway.query('{ document(id: "D-1") { state } }');
    return { gateway, caller: callers[0]!, parsed };
  };
  const address = '127.0.0.1';
  const json = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  const post = (body: object): RequestInit => ({
    method: 'POST',
    headers: json,
    body: JSON.stringify(body),
  });

  it.each<readonly [string, string, RequestInit]>([
    ['/metrics', '/metrics', {}],
    ['/schema.graphql', '/schema.graphql', {}],
    ['introspection', '/graphql', post({ query: '{ __schema { queryType { name } } }' })],
    [
      'introspection beside a DMS call',
      '/graphql',
      post({ query: '{ document(id: "D-1") { state } __type(name: "Query") { name } }' }),
    ],
    ['an unknown query document', '/graphql', post({ query: '{ document(id: "D-2") { step } }' })],
    ['an invalid query document', '/graphql', post({ query: '{ x }' })],
  ])('a request without a DMS call waits for its turn: %s', async (_what, path, init) => {
    const { gateway, caller } = await start();
    const byAddress = takeLongTurns(address);
    const byCaller = takeLongTurns(caller);
    expect((await gateway.fetch(path, init)).status).toBe(200);
    expect(Math.max(byAddress(), byCaller())).toBe(turnCount);
    await expect.poll(() => byAddress() + byCaller()).toBe(2 * turnCount);
  });

  it.each<readonly [string, string, RequestInit]>([
    ['a health check', '/healthz', {}],
    ['a known query', '/graphql', post({ query: '{ document(id: "D-1") { state } }' })],
  ])('another does not wait: %s', async (_what, path, init) => {
    const { gateway, caller } = await start();
    const ended = takeLongTurns(caller);
    expect((await gateway.fetch(path, init)).status).toBe(200);
    expect(ended()).toBeLessThan(turnCount);
    await expect.poll(ended).toBe(turnCount);
  });

  it('one whose client disconnects is neither parsed nor logged as a failure', async () => {
    const { gateway, caller, parsed } = await start();
    const { requestsInFlight } = gateway.metrics;
    const [logged, known] = [gateway.log.length, parsed.length];
    const ended = takeLongTurns(caller);
    const client = new AbortController();
    const asked = gateway.fetch('/graphql', {
      ...post({ query: '{ document(id: "D-3") { step } }' }),
      signal: client.signal,
    });
    await expect.poll(() => requestsInFlight.value).toBe(1);
    client.abort();
    await expect(asked).rejects.toThrow('aborted');
    await expect.poll(() => requestsInFlight.value).toBe(0);
    expect(ended()).toBeLessThan(turnCount);
    await expect.poll(ended).toBe(turnCount);
    expect(parsed).toHaveLength(known);
    expect(gateway.log.slice(logged)).toMatchObject([{ msg: 'request', outcome: 'CANCELLED' }]);
  });

  it('one of another caller has the next turn', async () => {
    const { gateway, caller } = await start();
    const ended = takeLongTurns(caller);
    expect((await gateway.fetch('/metrics')).status).toBe(200);
    expect(ended()).toBeLessThan(turnCount);
    await expect.poll(ended).toBe(turnCount);
  });
});
