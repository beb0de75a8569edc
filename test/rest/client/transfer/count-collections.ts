/*
 * Prints the number of minor garbage collections that `minorGcAfter` runs, as a JSON list. It runs in a separate
 * process: while V8 marks the heap of other tests, it does not report each collection as requested.
 */
import { PerformanceObserver, constants } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { minorGcAfter } from '../../../../src/rest/client/transfer/minor-gc.ts';

const mebibyte = 2 ** 20;

/** A property of performance entries that Node's types omit. */
interface Collection extends PerformanceEntry {
  readonly detail: { readonly kind: number; readonly flags: number };
}

async function youngCollections(times: number, bytes: number): Promise<number> {
  const entries: Collection[] = [];
  const observer = new PerformanceObserver((list) => {
    entries.push(...(list.getEntries() as Collection[]));
  });
  observer.observe({ entryTypes: ['gc'] });
  for (let i = 0; i < times; i += 1) minorGcAfter(bytes);
  for (let i = 0; i < 50; i += 1) await turn(); // Node reports them some iterations later
  observer.disconnect();
  return entries.filter(({ detail: { kind, flags } }) => {
    const forced = (flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0;
    return kind === constants.NODE_PERFORMANCE_GC_MINOR && forced;
  }).length;
}

const counts = [
  await youngCollections(63, mebibyte / 16),
  await youngCollections(1, mebibyte / 16),
  await youngCollections(12, mebibyte),
];
process.stdout.write(JSON.stringify(counts));
