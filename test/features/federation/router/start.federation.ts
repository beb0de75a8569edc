import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

/** Starts the example. Its output ends when both of its processes have ended. */
function startExample(port: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'federation-test-'));
  const child = spawn(process.execPath, ['examples/federation/start.ts'], {
    env: { PATH: process.env['PATH'], PORT: String(port), DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a process group, to end both if the test fails
  });
  child.stdout.resume();
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  const closed = once(child, 'close').then(([code]) => code as number | null);
  onTestFinished(async () => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // Both have ended.
    }
    await closed;
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { child, dataDir, closed, errors: () => errors };
}

it('ends the gateway if the port of the router is in use', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { closed, errors } = startExample((other.address() as AddressInfo).port);
  expect(await closed).toBe(1);
  expect(errors()).toContain('EADDRINUSE');
});

it('ends the gateway on a signal that arrives while it starts', async () => {
  const { child, dataDir, closed } = startExample(0);
  await expect.poll(() => readdirSync(dataDir)).not.toEqual([]);
  child.kill('SIGTERM');
  await closed;
  expect(child.signalCode).toBeNull();
});
