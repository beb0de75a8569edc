import { performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics } from 'node:v8';
import { exposeGc } from '../rest/client/transfer/minor-gc.ts';

const intervalMs = 2000;
/** The process is idle if its event loop was busy for less than this part of an interval. */
const maxUtilization = 0.1;
/** Growth since the last collection that is worth another one, in bytes. Ordinary load does not reach it. */
const minGrowthBytes = 64 * 2 ** 20;

/**
 * Collects garbage when the process is idle after it has used much memory. V8 collects only while a process allocates
 * memory, so after a peak, its garbage would stay until the next one.
 */
export function collectWhenIdle(): void {
  const gc = exposeGc();
  let usedBytes = oldGenerationBytes();
  let last = performance.eventLoopUtilization();
  setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(last);
    last = performance.eventLoopUtilization();
    if (utilization > maxUtilization || oldGenerationBytes() < usedBytes + minGrowthBytes) return;
    gc(); // V8 returns the pages some seconds later
    usedBytes = oldGenerationBytes();
  }, intervalMs).unref();
}

/**
 * The bytes of objects, live and dead, in the old generation and outside the heap. Not the young generation: a busy
 * process lets it grow to 100 MiB, and a collection that reduces it makes the next requests slower by a sixth.
 */
function oldGenerationBytes(): number {
  const spaces = getHeapSpaceStatistics().filter(
    ({ space_name }) => !space_name.startsWith('new_'),
  );
  const inHeap = spaces.reduce((sum, { space_used_size }) => sum + space_used_size, 0);
  return inHeap + process.memoryUsage().external;
}
