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

/**
 * Awaits a result while 25 ms of the replaced time pass in each iteration of the event loop, about: what is ready at
 * once happens long before a time limit of a second, on a busy machine too.
 */
export async function whileTimePasses<T>(result: Promise<T>): Promise<T> {
  const timer = setInterval(() => vi.advanceTimersByTime(25), 2);
  try {
    return await result;
  } finally {
    clearInterval(timer);
  }
}
