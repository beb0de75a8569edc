import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

it('prints the riskiest invoices, which cost one request, and ends both servers on a signal', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'own-fields-test-'));
  const child = spawn(process.execPath, ['examples/own-fields/start.ts'], {
    env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a process group, to end both if the test fails
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  const closed = once(child, 'close');
  onTestFinished(async () => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // Both have ended.
    }
    await closed;
    rmSync(dataDir, { recursive: true, force: true });
  });
  await expect.poll(() => output).toMatch(/^Gateway: http:\/\/127\.0\.0\.1:\d+\/graphql$/m);
  expect(output).toMatch(
    /^The risk service was asked for 20 documents at once\.\nDOC-\d+: 0\.9 \(large total, no author\)\n/,
  );
  child.kill('SIGTERM');
  await closed; // its output ends with its gateway
  expect(child.exitCode).toBe(0);
});
