import { median, ratioWithinRounds } from './stats.ts';

/** The measurements of one contestant in one slot of a round. */
export interface Slot {
  readonly workload: string;
  readonly contestant: string;
  readonly round: number;
  /** CPU milliseconds per request, which equal CPU seconds per thousand requests. */
  readonly cpuMs: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly peakMiB: number;
  readonly calls: number;
}

/** Medians over the rounds; of the peak memory, the maximum. */
export interface Summary {
  readonly workload: string;
  readonly contestant: string;
  readonly rounds: number;
  readonly cpuMs: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly peakMiB: number;
  readonly calls: number;
  readonly cpuToRaw: number;
  readonly perSecondToRaw: number;
  readonly p99ToRaw: number;
}

export function summarize(slots: readonly Slot[], raw: string): Summary[] {
  const groups = Map.groupBy(slots, ({ workload, contestant }) => `${workload}\n${contestant}`);
  return [...groups.values()].map((own) => {
    const [{ workload, contestant }] = own as [Slot];
    const ofRaw = slots.filter((each) => each.contestant === raw && each.workload === workload);
    const ratio = (pick: (slot: Slot) => number): number => ratioWithinRounds(own, ofRaw, pick);
    const middle = (pick: (slot: Slot) => number): number => median(own.map(pick));
    return {
      workload,
      contestant,
      rounds: own.length,
      cpuMs: middle(({ cpuMs }) => cpuMs),
      perSecond: middle(({ perSecond }) => perSecond),
      p50Ms: middle(({ p50Ms }) => p50Ms),
      p99Ms: middle(({ p99Ms }) => p99Ms),
      peakMiB: Math.max(...own.map(({ peakMiB }) => peakMiB)),
      calls: middle(({ calls }) => calls),
      cpuToRaw: ratio(({ cpuMs }) => cpuMs),
      perSecondToRaw: ratio(({ perSecond }) => perSecond),
      p99ToRaw: ratio(({ p99Ms }) => p99Ms),
    };
  });
}

/** A contestant that could not be measured, with the reason. */
export interface Problem {
  readonly contestant: string;
  readonly workload: string;
  readonly message: string;
}
