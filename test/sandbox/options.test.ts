import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startSandbox, type SandboxOptions } from '../../sandbox/index.ts';
import { startFailingDms } from '../helpers/failing-dms.ts';

/** The directory in which temporary directories are created. */
function useTemporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'options-test-'));
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

const start = (options: unknown) => startSandbox(options as SandboxOptions);

it('names every invalid option', async () => {
  const temporary = useTemporary();
  const options = {
    dataDirectory: '/data',
    dataDir: null,
    port: '80',
    host: '',
    onRequest: 'log',
    variants: { listValues: 'v3', forms: 'sysForm' },
  };
  await expect(start(options)).rejects.toMatchObject({
    name: 'TypeError',
    message: [
      'Invalid options of the sandbox:',
      '  dataDirectory is not an option',
      '  dataDir must be a non-empty string',
      '  port must be an integer from 0 to 65535',
      '  host must be a non-empty string',
      '  onRequest must be a function',
      '  variants.listValues must be v2 or v1',
      '  variants.forms is not an option',
    ].join('\n'),
  });
  await expect(start({ variants: null, port: -1 })).rejects.toThrow('variants must be an object');
  for (const one of [null, 5, 'x', []]) {
    await expect(start(one)).rejects.toThrow('The options of the sandbox must be an object');
  }
  expect(readdirSync(temporary)).toEqual([]);
});

it('removes its temporary directory if the port is in use', async () => {
  const temporary = useTemporary();
  const occupied = await startFailingDms(() => {});
  const port = Number(new URL(occupied.url).port);
  await expect(start({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  expect(readdirSync(temporary)).toEqual([]);
});
