/** @module-tag nightly */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { addressOf, spawnGateway } from '../../helpers/process.ts';

it('of each worker are with those of the gateway', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'team-metrics-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'gateway.config.ts');
  writeFileSync(
    path,
    `import { Counter } from 'prom-client';
    export default {
      plugins({ registry }) {
        new Counter({ name: 'team_starts', help: 'x', registers: [registry] }).inc();
        return [];
      },
    };`,
  );
  const settings = { DMS_URL: 'http://127.0.0.1:9', WORKERS: '2' };
  const url = await addressOf(spawnGateway(settings, '--config', path));
  const metrics = async () => (await fetch(`${url}/metrics`)).text();
  await expect.poll(metrics).toMatch(/^team_starts\{worker="1"\} 1$/m);
  await expect.poll(metrics).toMatch(/^team_starts\{worker="2"\} 1$/m);
});
