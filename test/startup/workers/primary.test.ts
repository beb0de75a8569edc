/** @module-tag nightly */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import cluster from 'node:cluster';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startWorkers } from '../../../src/startup/workers/primary.ts';

/** What a worker does instead of starting a gateway. `worker` is its number, and `again` is true for a replacement. */
type Script = string;

const listens: Script = `return server;`;
const fails: Script = `throw new Error('no key ' + worker);`;
const waits: Script = `while (!existsSync(folder + '/go')) await setImmediate(); return server;`;

const options = {
  workers: 2,
  rateLimit: null,
  url: 'http://dms.test',
  host: '127.0.0.1',
  shutdownTimeoutMs: 10_000,
  sandbox: null,
  replica: 'one',
  fileUrlSecret: 's',
};

/** Starts workers that run `script`. */
async function start(script: Script, { hangLimitMs = 30_000, port = 0 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-primary-'));
  const entry = join(folder, 'worker.mjs');
  writeFileSync(
    entry,
    `import { existsSync, writeFileSync } from 'node:fs';
    import { setImmediate } from 'node:timers/promises';
    import { runWorker } from ${JSON.stringify(resolve('src/startup/workers/worker.ts'))};
    const folder = ${JSON.stringify(folder)};
    runWorker(async ({ worker, port }, others) => {
      const file = folder + '/' + worker;
      const again = existsSync(file);
      writeFileSync(file, '');
      const server = {
        url: 'http://127.0.0.1:' + port,
        links: {},
        invalidate() {},
        replaceSecrets() {},
        stop: async () => true,
      };
      ${script}
    });`,
  );
  const logged: string[] = [];
  cluster.setupPrimary({ exec: entry, args: [], execArgv: [] });
  const workers = await startWorkers({
    ...options,
    port,
    hangLimitMs,
    log: (_level, message, { worker, cause } = {}) =>
      void logged.push([message, worker, cause].filter(Boolean).join(' ')),
  });
  onTestFinished(() => {
    workers.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    workers,
    logged,
    /** Resolves when worker `number` is starting. */
    async starting(number: number) {
      const file = join(folder, String(number));
      await expect.poll(() => existsSync(file)).toBe(true);
    },
    /** Lets workers start that wait. */
    go: () => writeFileSync(join(folder, 'go'), ''),
  };
}

describe('the start of workers', () => {
  it('completes when all of them listen', async () => {
    const { workers, logged } = await start(listens);
    const { url, pids } = await workers.ready;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    expect(new Set(pids).size).toBe(2);
    expect(await workers.stop()).toBe(true);
    expect(logged).toEqual([]);
  });

  it('continues if one of them ends', async () => {
    const { workers, logged } = await start(
      `if (worker === 1 || again) { ${listens} } else { ${fails} }`,
    );
    await workers.ready;
    await expect.poll(() => logged).toContain('worker started 2');
    expect(logged).toEqual([
      'worker failed to start 2 no key 2',
      'worker ended 2',
      'worker started 2',
    ]);
    expect(await workers.stop()).toBe(true);
  });

  it('continues if a signal ends all of them', async () => {
    const { workers, logged } = await start(
      `if (again) { ${listens} } process.kill(process.pid, 'SIGKILL');`,
    );
    await workers.ready;
    expect(logged.toSorted()).toEqual(['worker ended 1', 'worker ended 2']);
  });

  it('fails with the first error if none starts', async () => {
    const { workers, logged } = await start(fails);
    await expect(workers.ready).rejects.toThrow(/^no key [12]$/);
    // The first one can end again before the second one ends.
    const ended = new Set(logged.filter((line) => line.startsWith('worker ended')));
    expect([...ended].toSorted()).toEqual(['worker ended 1', 'worker ended 2']);
  });

  it('fails with the first exit code without error', async () => {
    const { workers } = await start('process.exit(3);');
    await expect(workers.ready).rejects.toThrow(/^worker [12] ended with code 3$/);
  });

  it('can be stopped before it completes', async () => {
    const { workers, starting, logged, go } = await start(
      `if (worker === 1) { ${listens} } ${waits}`,
    );
    await starting(1);
    await starting(2);
    const stopped = workers.stop();
    go();
    expect(await stopped).toBe(true);
    expect(logged).toEqual([]);
  });

  it('can be stopped before a restart', async () => {
    const { workers, logged } = await start(`if (worker === 2 && !again) { ${fails} } ${listens}`);
    await expect.poll(() => logged).toContain('worker ended 2');
    expect(await workers.stop()).toBe(true);
  });

  it('requires an unused port', async () => {
    const other = createServer();
    onTestFinished(() => void other.close());
    const port = await new Promise<number>((resolve) => {
      other.listen({ host: '127.0.0.1', port: 0, reusePort: true }, () => {
        const address = other.address();
        resolve(typeof address === 'object' ? (address?.port ?? 0) : 0);
      });
    });
    const started = startWorkers({ ...options, port, log() {} });
    await expect(started).rejects.toThrow('EADDRINUSE');
  });
});

it('a worker that hangs is killed and replaced', async () => {
  const { workers, logged } = await start(listens, { hangLimitMs: 3000 });
  const { pids } = await workers.ready;
  process.kill(pids[1]!, 'SIGSTOP');
  await expect.poll(() => logged).toContain('worker started 2');
  expect(logged).toEqual(['worker not responding 2', 'worker ended 2', 'worker started 2']);
  expect(() => process.kill(pids[1]!, 0)).toThrow('ESRCH');
});
