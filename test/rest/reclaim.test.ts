import { PerformanceObserver, constants } from 'node:perf_hooks';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { reclaimAfter } from '../../src/rest/reclaim.ts';
import { stalled } from '../helpers/stalled.ts';

const mebibyte = 2 ** 20;

/** What Node adds to an entry of the collector; its types leave it out. */
interface Collection extends PerformanceEntry {
  readonly detail: { readonly kind: number; readonly flags: number };
}

/** How many young collections somebody asked for while `go` ran. */
async function youngCollections(go: () => void): Promise<number> {
  const entries: Collection[] = [];
  const observer = new PerformanceObserver((list) => {
    entries.push(...(list.getEntries() as Collection[]));
  });
  observer.observe({ entryTypes: ['gc'] });
  go();
  await stalled(() => entries.length); // Node tells of them some turns later
  observer.disconnect();
  return entries.filter(({ detail: { kind, flags } }) => {
    const forced = (flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0;
    return kind === constants.NODE_PERFORMANCE_GC_MINOR && forced;
  }).length;
}

it('collects the young generation once for each 4 MiB that pass', async () => {
  const pass = (times: number, bytes: number) => () => {
    for (let i = 0; i < times; i += 1) reclaimAfter(bytes);
  };
  // Begins anew, whatever passed in earlier tests.
  expect(await youngCollections(pass(1, 4 * mebibyte))).toBe(1);
  expect(await youngCollections(pass(63, mebibyte / 16))).toBe(0);
  expect(await youngCollections(pass(1, mebibyte / 16))).toBe(1);
  expect(await youngCollections(pass(12, mebibyte))).toBe(3);
});

it('hands the collector to nobody else', () => {
  reclaimAfter(4 * mebibyte);
  expect(runInNewContext('typeof gc')).toBe('undefined');
  expect(globalThis.gc).toBeUndefined();
});
