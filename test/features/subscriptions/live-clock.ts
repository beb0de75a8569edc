import type { LiveClock } from '../../../src/features/subscriptions/watch.ts';

export interface TestLiveClock extends LiveClock {
  /** Milliseconds until each timer that runs, in the order of their start. */
  readonly waits: () => number[];
  /** Lets time pass; what is due runs, in order. */
  advance(ms: number): void;
}

/** Timers that run when the test says so, without jitter. */
export function createLiveClock(): TestLiveClock {
  let now = 0;
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  return {
    random: () => 0.5,
    schedule(run, ms) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    waits: () => [...timers].map(({ at }) => at - now),
    advance(ms) {
      now += ms;
      for (const timer of [...timers].toSorted((a, b) => a.at - b.at)) {
        if (timer.at <= now && timers.delete(timer)) timer.run();
      }
    },
  };
}
