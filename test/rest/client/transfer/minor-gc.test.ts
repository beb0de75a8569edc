import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { minorGcAfter } from '../../../../src/rest/client/transfer/minor-gc.ts';

it('runs one minor collection per 4 MiB', async () => {
  const script = fileURLToPath(new URL('count-collections.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  expect(JSON.parse(stdout)).toEqual([0, 1, 3]);
});

it('does not expose gc to other code', () => {
  minorGcAfter(4 * 2 ** 20);
  expect(runInNewContext('typeof gc')).toBe('undefined');
  expect(globalThis.gc).toBeUndefined();
});
