import { median } from '../harness/stats.ts';

export interface Sample {
  readonly atSecond: number;
  readonly rssMiB: number;
}

export interface Window {
  readonly fromSecond: number;
  readonly rssMiB: number;
}

/** Splits the samples into windows of equal length, each with its median. */
export function windowsOf(samples: readonly Sample[], count: number): Window[] {
  const size = Math.max(1, Math.floor(samples.length / count));
  return Array.from({ length: count }, (_, at) => {
    const own = samples.slice(at * size, (at + 1) * size);
    return {
      fromSecond: Math.round(own[0]?.atSecond ?? 0),
      rssMiB: median(own.map((each) => each.rssMiB)),
    };
  });
}

/**
 * Whether memory is flat: the last third is at most a tenth, or 16 MiB, above the second third. The first third is the
 * warm-up, in which caches fill, code is compiled and the heap reaches its size.
 */
export function isFlat(windows: readonly Window[]): boolean {
  const third = Math.floor(windows.length / 3);
  const of = (list: readonly Window[]): number => median(list.map((each) => each.rssMiB));
  const before = of(windows.slice(-2 * third, -third));
  const last = of(windows.slice(-third));
  return last - before <= Math.max(16, before / 10);
}
