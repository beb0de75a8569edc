import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { minorGcAfter } from '../../../../src/rest/client/transfer/minor-gc.ts';

it('collects the young generation once for each 4 MiB that pass', async () => {
  const script = fileURLToPath(new URL('count-collections.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  expect(JSON.parse(stdout)).toEqual([0, 1, 3]);
});

it('hands the collector to nobody else', () => {
  minorGcAfter(4 * 2 ** 20);
  expect(runInNewContext('typeof gc')).toBe('undefined');
  expect(globalThis.gc).toBeUndefined();
});
