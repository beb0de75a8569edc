/** Drops 300 MiB, and prints what is left when they have been collected because the process is idle, in MiB. */
import { PerformanceObserver, constants } from 'node:perf_hooks';
import { collectWhenIdle } from '../../src/startup/idle-collection.ts';

collectWhenIdle();
let objects: object[] | null = Array.from({ length: 3_000_000 }, (_, n) => ({ n, list: [n] }));
const keepAlive = setInterval(() => {}, 1000);
new PerformanceObserver((list) => {
  for (const { detail } of list.getEntries() as unknown as { detail: { flags: number } }[]) {
    if (detail.flags !== constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) continue;
    process.stdout.write(String(process.memoryUsage().heapUsed / 2 ** 20));
    clearInterval(keepAlive);
  }
}).observe({ entryTypes: ['gc'] });
setTimeout(() => (objects = null), objects.length > 0 ? 1 : 0);
