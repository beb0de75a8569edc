import { performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics } from 'node:v8';
import { exposeGc } from '../rest/client/transfer/minor-gc.ts';

const intervalMs = 2000;
/** The process is idle if its event loop was busy for less than this part of an interval. */
const maxUtilization = 0.1;
/*
 * Growth since the last collection that is worth another one, in bytes. A collection is not free for what comes after it:
 * V8 also drops optimized code and the shapes of objects, which makes the next requests slower by a half for seconds. Ordinary
 * load lets the old generation grow by up to 170 MiB until V8 collects it.
 */
const minHeapGrowth = 192 * 2 ** 20;
const minExternalGrowth = 64 * 2 ** 20;

/**
 * Collects garbage when the process is idle after it has used much memory. V8 collects only while a process allocates
 * memory, so after a peak, its garbage would stay until the next one.
 */
export function collectWhenIdle(): void {
  let gc: NodeJS.GCFunction | undefined;
  let used = usedMemory();
  let last = performance.eventLoopUtilization();
  setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(last);
    last = performance.eventLoopUtilization();
    if (utilization > maxUtilization || !hasGrown(usedMemory(), used)) return;
    gc ??= exposeGc();
    gc(); // V8 returns the pages some seconds later
    used = usedMemory();
  }, intervalMs).unref();
}

/** Bytes in the old generation, live and dead, and outside the heap. */
interface UsedMemory {
  readonly heap: number;
  readonly external: number;
}

function hasGrown(now: UsedMemory, before: UsedMemory): boolean {
  return (
    now.heap - before.heap >= minHeapGrowth || now.external - before.external >= minExternalGrowth
  );
}

/** Not the young generation, which a busy process lets grow to 100 MiB. */
function usedMemory(): UsedMemory {
  const spaces = getHeapSpaceStatistics().filter(
    ({ space_name }) => !space_name.startsWith('new_'),
  );
  const heap = spaces.reduce((sum, { space_used_size }) => sum + space_used_size, 0);
  return { heap, external: process.memoryUsage().external };
}
