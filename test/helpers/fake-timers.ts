import { onTestFinished, vi } from 'vitest';

type Fakeable = 'Date' | 'performance' | 'setTimeout' | 'setInterval';

/**
 * Replaces the named clocks and timers, with the functions that clear them, until the end of the test. Time then passes
 * with `vi.advanceTimersByTime` only.
 */
export function fakeTimers(...names: readonly Fakeable[]): void {
  vi.useFakeTimers({
    toFake: names.flatMap((name) => {
      if (name === 'setTimeout') return [name, 'clearTimeout'] as const;
      return name === 'setInterval' ? ([name, 'clearInterval'] as const) : [name];
    }),
  });
  onTestFinished(() => void vi.useRealTimers());
}
