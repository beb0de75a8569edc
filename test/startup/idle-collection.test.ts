import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('an idle process collects what it no longer uses', async () => {
  const script = fileURLToPath(new URL('hold-and-drop.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  expect(Number(stdout)).toBeGreaterThan(0);
  expect(Number(stdout)).toBeLessThan(50);
});
