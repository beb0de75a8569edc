import { setImmediate as nextIteration } from 'node:timers/promises';
import type { Plugin } from 'graphql-yoga';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { OperationContext } from '../../../src/server/graphql/operation-context.ts';
import { waitForTurn } from '../../../src/server/http/turns.ts';
import { startGateway } from '../../helpers/gateway.ts';
import { writeManifest } from '../../helpers/persisted-documents.ts';

describe('turns', () => {
  it('go around among the callers', async () => {
    const done: string[] = [];
    const turns = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(async (name) => {
      await waitForTurn(name[0]!);
      done.push(name);
    });
    await Promise.all(turns);
    expect(done).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('are distributed over several iterations if they take long', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const done: number[] = [];
    const take = async (ms: number): Promise<void> => {
      await waitForTurn('a');
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
});

const turnCount = 60;

/** Takes turns, of which each fills its iteration of the event loop. Returns the number of those that have ended. */
function takeLongTurns(key: string): () => number {
  let ended = 0;
  const takeTurn = async (): Promise<void> => {
    await waitForTurn(key);
    const endAt = performance.now() + 6;
    while (performance.now() < endAt);
    ended += 1;
  };
  for (let nth = 0; nth < turnCount; nth += 1) void takeTurn();
  return () => ended;
}

describe('behind requests of the same caller', () => {
  const tool = '# Reads a person.\nquery Person { person(id: "usr-ann") { email } }';
  const start = async () => {
    const callers: string[] = [];
    const plugin: Plugin<OperationContext> = {
      onContextBuilding: ({ context }) => void callers.push(context.http.memory.key),
    };
    const gateway = await startGateway({
      server: { mcp: true, persistedDocuments: writeManifest({ tool }), playground: true },
      parts: { plugins: [plugin] },
    });
    gateway.dms.reply('GET', /docForm/, { _id: '5'.repeat(24) });
    await gateway.query('{ document(id: "D-1") { state } }');
    return { gateway, caller: callers[0]! };
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
    ['the playground', '/graphql', { headers: { accept: 'text/html' } }],
    ['introspection', '/graphql', post({ query: '{ __schema { queryType { name } } }' })],
    [
      'introspection beside a DMS call',
      '/graphql',
      post({ query: '{ document(id: "D-1") { state } __type(name: "Query") { name } }' }),
    ],
    ['an unknown query document', '/graphql', post({ query: '{ document(id: "D-2") { step } }' })],
    ['an invalid query document', '/graphql', post({ query: '{ x }' })],
    ['tools/list', '/mcp', post({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })],
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

  it('one of another caller has the next turn', async () => {
    const { gateway, caller } = await start();
    const ended = takeLongTurns(caller);
    expect((await gateway.fetch('/metrics')).status).toBe(200);
    expect(ended()).toBeLessThan(turnCount);
    await expect.poll(ended).toBe(turnCount);
  });
});
