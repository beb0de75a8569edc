/** What runs in `setImmediate` phases, in groups. */
interface GroupQueue {
  /** Removes the callbacks that run next, in a row. */
  takeGroup(): readonly (() => void)[];
  readonly isEmpty: boolean;
  /** Called with the time that a group has taken, in milliseconds, unless it was the last one. */
  groupEnded?(ms: number): void;
}

/** Maximum number of iterations of the event loop in a row in which groups wait because a connection was accepted. */
const maxPostponed = 128;

let acceptedConnections = 0;

/**
 * Records that a connection was accepted. The groups of all queues then wait for the next iteration of the event loop,
 * for a limited number of times: one connection is accepted per iteration, and that of a health check can be behind
 * hundreds of others.
 */
export function connectionAccepted(): void {
  acceptedConnections += 1;
}

/**
 * Runs the groups of a queue one after the other, each with the microtasks that follow from it. Groups start within
 * `maxMs` milliseconds in one iteration of the event loop; the others run in the next ones.
 *
 * @returns a function to call when something was added to the queue
 */
export function runInGroups(queue: GroupQueue, maxMs: number): () => void {
  let isScheduled = false;
  let acceptedBefore = 0;
  let postponed = 0;
  const run = (): void => {
    const mustWait = acceptedConnections !== acceptedBefore && postponed < maxPostponed;
    acceptedBefore = acceptedConnections;
    postponed = mustWait ? postponed + 1 : 0;
    if (mustWait) {
      setImmediate(run);
      return;
    }
    const endAt = performance.now() + maxMs;
    const runGroup = (): void => {
      const startedAt = performance.now();
      if (startedAt > endAt) {
        setImmediate(run);
        return;
      }
      const group = queue.takeGroup();
      const isLast = queue.isEmpty;
      if (isLast) isScheduled = false;
      for (const callback of group) callback();
      if (isLast) return;
      const groupEnded = (): void => {
        queue.groupEnded?.(performance.now() - startedAt);
        runGroup();
      };
      // A tick that a microtask adds runs after all microtasks: those of this group have ended.
      queueMicrotask(() => process.nextTick(groupEnded));
    };
    runGroup();
  };
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    acceptedBefore = acceptedConnections;
    setImmediate(run);
  };
}

interface Arrival {
  readonly callback: () => void;
  readonly weight: number;
}

/** Arrivals with this weight run in a row, before the time is checked. Smaller groups cost a tenth of W1. bench/NOTES.md */
const maxGroupWeight = 512 * 1024;
/** The weight after a group that took longer than `longGroupMs` milliseconds. */
const minGroupWeight = 128 * 1024;
const longGroupMs = 10;
const maxBatchMs = 25;

const arrivals: Arrival[] = [];
let groupWeight = maxGroupWeight;

const arrived = runInGroups(
  {
    takeGroup() {
      let weight = 0;
      const end = arrivals.findIndex((arrival) => (weight += arrival.weight) >= groupWeight);
      const group = arrivals.splice(0, end === -1 ? arrivals.length : end + 1);
      return group.map(({ callback }) => callback);
    },
    get isEmpty() {
      return arrivals.length === 0;
    },
    groupEnded(ms) {
      groupWeight = ms > longGroupMs ? minGroupWeight : maxGroupWeight;
    },
  },
  maxBatchMs,
);

/**
 * Calls `callback` in the next `setImmediate` phase, together with all other callbacks of the same iteration of the
 * event loop. It must not throw.
 *
 * Node emits each network chunk separately, and runs everything that follows from it before the next chunk: from the
 * response of the DMS through resolvers to the response of the gateway. That is more code than fits into a processor's
 * caches, so under load each request would evict the code of the next. With a batch, the promises of all chunks settle
 * together, and each step runs for all of them in a row. bench/NOTES.md has the figures. A single request is not
 * delayed, because `setImmediate` runs as soon as no input is left.
 *
 * What takes long in total is distributed over several iterations, so that hundreds of expensive requests at the same
 * time do not delay a health check.
 *
 * @param weight the size of the arrival in bytes, as an estimate of the time that it takes
 */
export function runInImmediateBatch(callback: () => void, weight: number): void {
  arrivals.push({ callback, weight });
  arrived();
}
